const table = {"prefix":"/nordlys","api":"/api/","methods":["GET","HEAD","OPTIONS"],"preflight":{"Access-Control-Allow-Methods":"GET, HEAD, OPTIONS","Access-Control-Allow-Headers":"*","Access-Control-Max-Age":"86400"},"not_allowed":"{\"type\":\"about:blank\",\"title\":\"Method Not Allowed\",\"status\":405}","headers":{"Access-Control-Allow-Origin":"*","Access-Control-Expose-Headers":"ETag, Content-Location, Retry-After, Link","Cache-Control":"public, max-age=60, must-revalidate","CDN-Cache-Control":"public, max-age=60, stale-while-revalidate=60","X-Content-Type-Options":"nosniff"},"type":"application/problem+json","longest":{"slug":100,"value":210},"patterns":{"slug":"[a-z0-9]+(?:-[a-z0-9]+)*","year":"[0-9]{4}","word":"[a-z]+(?:_[a-z]+)*","month":"[0-9]{4}-(?:0[1-9]|1[0-2])","page":"[1-9][0-9]{0,8}"},"documents":{"/api/dashboard":"/api/dashboard.json"},"files":{"plain":"/page/:page.json","sorted":"/sort/:sort/page/:page.json","by":"/by/:filter/:value/page/:page.json","record":"/slug/:slug.json","filters":"/filters.json","values":"/filters/:filter.json"},"lists":[{"name":"projects","root":"/api/projects","parameters":{"mode":"","q":"","tag_field":"slug","tag_technology":"slug","program":"slug","organization":"slug","organization_category":"slug","location":"slug","year":"year","status":"word","sort":"","page":""},"sorts":["name","-year"],"fixed":{},"bare":null},{"name":"programs","root":"/api/programs","parameters":{"mode":"","q":"","tag_field":"slug","tag_technology":"slug","organization":"slug","organization_category":"slug","type":"slug","kind":"word","location":"slug","year":"year","sort":"","page":""},"sorts":["name","-year","-projects"],"fixed":{},"bare":null},{"name":"organizations","root":"/api/organizations","parameters":{"mode":"","q":"","tag_field":"slug","tag_technology":"slug","category":"slug","location":"slug","sort":"","page":""},"sorts":["name","-projects","-programs"],"fixed":{},"bare":null},{"name":"events","root":"/api/calendar/events","parameters":{"mode":"","q":"","kind":"word","program":"slug","organization":"slug","month":"month","year":"year","upcoming":"","sort":"","page":""},"sorts":["starts"],"fixed":{"upcoming":{"value":"true","file":"/api/calendar/events/upcoming/page/:page.json"}},"bare":"/api/calendar/events/upcoming/page/1.json"}],"problem":{"type":"/nordlys/api/problems/:code.json","help":"/nordlys/api/index.json"},"problems":{"mode-required":[400,"Add mode=page to the query"],"unknown-parameter":[400,"There is no such parameter"],"repeated-parameter":[400,"A parameter is given twice"],"invalid-parameter":[400,"A parameter has no valid value"],"unsupported-combination":[400,"These parameters cannot be combined here","Prepared pages answer one filter, or one sort without a filter. Follow the canonical files, one filter at a time."],"not-found":[404,"There is nothing here","The value, record or page does not exist. The filter list has all values; a list's first page tells its number of pages."]},"made":"2c5c82a8","missing":"/404.html","json":"application/json","folding":{"unicode":"17.0","folds":"1t.q:w;3p:w;a:w;8:w;6:w;1=37+37;1d:1;m:1;r:1;9:1;8:1;k:1;r:5u;1.2,:1;4:5q;1:1;2.2:5p;2:1;3:27;1:5m;1:5n;1:1;2:5p;1:5r;2:5v;1:5t;1:1;4:5v;1:5x;2:5y;3.2,:1;4:62;1:1;2:62;3:1;2:62;3.2:61;2.2,:1;4:63;1:1;4:1;14:1;i:-2p;1:-1k;11:1;4:-3m;2.2,:1;o:8bv;1:1;2:-4j;1:8bs;3:1;2:-5f;1:1x;1:1z;1.5,:1;56.1s=;1u=;3.a=;b.w=;w.2,:1;6:1;9:38;i.h:w;i.7:w;v:1;d:8;9.c,:1;v:1;2:-1i;1:1;3.3:-3m;5.5,:28;3.2:28;4.3:28;6:28;1.g,:w;1.8:w;a.l:w;1x.b,:1;o.5,:1;b.5=;7.r,:1;1i:f;3.6,:1;h:1;4:1;8:1;8:1;e:1;4.r,:1;1j.12:1c;2o.19=;1a.2,=;3.2,=;3.2,=;23.b=;1n.l=;11=;2u.7=;9.6=;8.2=;3.4=;13=;v.r=;57.9=;i=;p.4=;5.a,=;1.8=;a.2=;4.4=;1b.3=;1q.9=;1f.o=;p.t=;2h=;h=;4.4=;2z=;h=;1d=;1q=;h=;33=;h=;33=;h=;3k=;33=;h=;8.2=;2v=;h=;32.2=;i=;3h=;32.3=;g.4=;34.3=;g.4=;28.2=;t.3,=;1o.2=;3=;6.4=;6.4,=;3.2=;4=;1r=;35.2,=;3=;2b=;j.12:5ls;13:5ls;6:5ls;1b:-w;gx.3=;4b.6:-8;m4.2=;w=;4e=;b=;5o=;40.3=;66.2=;21=;l.8=;a=;1d.e=;f.v=;x.c=;12=5c5+5dh;2=5c7+5dh;2=5c9+5dh;2=5cb+5dh;2=5cd+5dh;4=5ch+5dh;y=;7=5dm+5dh;2=5do+5dh;3=5dq+5dh;1=5dr+5dh;2=5du+5dh;1=;13.9=;1r.2=;1o=;c.2=;1x=;21:-4su;1:-4st;1:-4sk;1.2:-4si;2:-4sj;1:-4sc;1:-4ro;1:r7n;1:1;7.17:-2bk;19.3:-2bk;j.d,=;1.2=;4.c=;e.6=;a=;7=;4.2=;1g:-5or;1:-5l3;1.2,:-5os;3.5,:-5os;1:-5ed;2.7:-5os;8:-5ot;1:-5cq;1:-5ou;1:-5ot;1.2:-5os;2:-5or;1:-5pe;1.2:-5bo;2:-1w;1:-5ph;1.2:-5pg;2:-5bl;1.2:-5bk;2:-5pi;2:-5pg;1.2,:-5pf;1:-5ja;2:-5bz;1.2:-1q;2:-5pi;1.2:-5pf;2:-1o;1:-5bf;1:-5ph;1:-1j;1.3:-52j;3.2:-522;2:-5q1;1:-5pt;1.2:-5pr;2.2:-52s;2:-52f;1.2:-52b;f:-4zf;z:-5e1;1:-5rt;1:-5e0;1:-5ny;1:-5dv;1:-5ru;1:-5du;1:-5dt;1:-5dq;1.3:-5do;3:-18;1:-5cb;1:-5do;1:-11;1:-5cc;1:-5dn;1:-5dp;1.4:-5do;4:-5dm;1.2:-5dd;2:-5je;1.2:-5d9;2:-4c;1.2:-5da;2:-5s1;1.3:-5d8;3:-553;1.1s=;66=37+37;2k.3,:1;ba:-6cv;1:-6cs;1:-6cj;1:-6cb;1:-5yz;1:-6ct;1.4:-6cr;4:-6cq;1.2:-6co;1h.d=;h=;4.c=;25:s;9=2u+2p+3c;1:-5to;k=1d+6dg+1j;1=1d+6dg+1l;1=1d+6dg+1d+1c;1d:1;6=1c+6dg+1f;22f.1c:1c;2o:1;2:-8af;1:-2xy;1:-89z;3.3,:1;6:-8bg;1:-8al;1:-8bj;1:-8bi;2:1;3:1;7:-8pe;1:-8p3;1.2:-8cf;2.1e,:1;2z.2,:1;4.3=;3:1;3h:-e;g=;2p.w=;ga.6=;33.2=;as=14+3d7+3ft+3d8+3fp+3hn+15;1=14+3d7+3ft+3de+3fy+15;12:6x7;1:8qf;1:a4h;1:eh4;9=34+38+2t;18=3da+3fl+3hz+3cw+3ft;1=3d8+3fy+3d7+3g4;1=3d7+3fy;26=2w+2v;1=2t+36+2v;1=2t+3a;1=30+38+2s;1c=fl0+gp8;3c=2s+31;1=2s+31+1e;1=2s+31+1f;1=2x+39;2s=3a+6qd+31;1=2p+6qd+31;w=2v+2p+30;mkh.n,:1;1b=;5.a=;c.e,:1;s:-w2a;1:-w29;1.2=;2a.2=;1e.7,:1;g.v,:1;1q:-1;9.2,:1;4:-r9g;1.5,:1;d:1;2:-wmg;3.2,:1;6.a,:1;k:-wn8;1:-wnj;1:-wnf;1:-wn5;1:-wn8;2:-wlu;1:-wmi;1:-wlx;1:ps;1.8,:1;g:-1c;1:-wn7;1:-raw;1.2,:1;4:-wo7;1.8,:1;g:-wu9;l:-x32;1:-x3j;1:-x3h;1:-x37;1:1;3:-wy9;1:-wx2;d=;12=;48=;s.i=;23.3=;14=;2o=;d=;6o.3,=;3.2=;4.2=;7.2=;3=;1h=;2u:-tx;1:-12;1:-xdf;1:-d;a:-xcs;7.28:-tzk;3h=;fgh:-ksw;1:-jnc;1o:-ueu;1:1sw2;1:-nrp;3:-y16;1:-xbw;1:-xe2;1:-xrn;1:-xf3;1:-xdh;1:-x4f;1:-x31;1:-wkb;1:-wmc;1:-wkh;1:-wih;1:-w0y;1:-vyi;1:-vui;1:-vu3;1:-vmm;1:-vh5;1:-ur4;1:-uqy;1:-umz;1:-ul4;1:-ucu;1:-u9l;1:-ubk;1:-u7v;1:-u96;1:-u55;1:-u3c;1:-ts9;1:-tpu;1:-tod;1:-th6;1:-t99;1:-t4r;1:-t4o;1:-t32;1:-s9o;1:-s7w;1:-rx2;1:-rlp;1:-rm6;1:-rjs;1:-rct;1:-r3i;1:-pva;1:-qy1;1:-quo;1:-qra;1:-qi8;1:-qe4;1:-qco;1:-q6f;1:-q6e;1:-q1o;1:-q18;1:-q0k;1:-py7;1:-pyi;1:-pnj;1:-pa3;1:-p2l;1:-oxf;1:-or8;1:-on0;1:-odv;1:-o8d;1:-nkx;1:-ngl;1:-mrg;1:-met;1:-mcx;1:-mci;1:-m4a;1:-m2q;1:-m40;1:-m2j;1:-m2n;1:-m35;1:-m12;1:-lyu;1:-lo9;1:-l8q;1:-l01;1:-krv;1:-klr;1:-jt6;1:-jqc;1:-jn6;1:-jji;1:-jij;1:-ji8;1:-jgx;1:-iwr;1:-i0i;1:1njv;1:1njo;1:1ptw;1:-11rp;1:-10vv;1:-10uz;1:1vuc;1:1xx6;1:24n0;1:-i39;1:-i17;1x=;ky:-1e5g;1.2:-14pc;2.2:-1e55;2:-1e5w;1:-1e53;1.2:-14ox;2=1a+1a+1a;7.g=;13:-1e5o;1:-1e5n;qd=;6b=;46.5=;3u.14:14;4w.10:14;5c.j,:13;1.a:13;c.e:13;g.6:13;8:13;1g:9;r:-a;bh.2:-1fht;2:-1fvh;1:-1fjf;1:-1fle;2.2,:-1fj8;1:-i76;2:-1fja;1.2:-1flh;2:-1a7w;1:-1fli;1:-1fld;1:-1fjb;1:-1fl9;1:-1flc;1:-1flf;1:-1fjt;1:-1fu6;1:-1fju;1:-1flc;1:-1fkk;1.2:-1fjj;2:-1flb;1:16js;1:-iz3;1:-1flc;1:16jq;1:-1fki;1:16jp;1:-1fvu;1.2:-1fl9;2:-1fzo;1:-1fl8;1:16jl;1.2:-1fl7;2:-1fl6;1:-1fk3;1:-1fk6;1:-i86;1:-1fk7;1:-1fl3;1:-17b3;2:-1fkz;1.2:-1fki;2:-1fkt;1.3:-1fqu;3:16j5;1:16jo;gj.2,=;17.3=;7=;4m.2=;bf.1f:1s;4k.4=;18.m:w;p.5=;8y.2=;27.2=;3.3=;21.b=;1o.4=;5g=;16=;f=;r.2,:-1;h:-6;e.2=;1z.3=;1a=1hyp+1hyf;1=1hyq+1hyf;4.2=;1s=;25=;a=;2z.2=;50.2=;2a.2=;g=1idj+1ida;1=1idj+1idz;1=;p.7=;a.5=;j=1if6+1ih5;2=1if8+1igr;9=1iff+1igy;3=1ifk+1ih5;1g=1igy+1igy;2=1igy+1igo;1=1igy+1ih5;6.3=;38=;4=;o=;2l=1int+1inu;1=1int+1ink;2=1int+1inx;4.2=;6w=1iuw+1iun;1=1iux+1iun;4.2=;3k=;3b.2=;39=;7i.2=;2v.w:w;48=1jjp+1jjk;5.2=;6=;4d=;2c=;j=;2a=;bq=;77.2,=;3=;2a=;bu.2=;d0g=1xr2+1xr2;1=1xr2+1xrd;1=1xr2+1xr3;1=1xrd+1xr3;1=1xr2+1xr4;1=1xr2+1xr2+1xr3;1=1xr2+1xrd+1xr3;1=1xr2+1xr2+1xr4;7=;1xd.5=;1s.7=;fs=206f+206f;1=206b+206f;1=206b+206f+206f;5y.w:w;2o.p:r;9c.2=;f5a=;37c.q:-2iyd;q.a:-2j0g;vp.5=;8.6=;e.8=;a.7=;11.4=;48.3=;hr:-2kid;df:-2kqb;1:-2kj2;85:-2kfh;1:-2kfi;1md.d,=;1.6=;8.g=;i.7=;8.2=;3.5=;a.9:-2m0w;9.3:-2m0v;3.b:-2m0u;b:-2m0s;1.2:-2m0r;2:-1pz5;1:-2lwy;1:-2m0m;1:-2m0l;1:-2lwl;1:-2ly8;1:-2lxd;1.9:-2m1t;9.2:-2m1s;2.2:-2m1q;2:-2m1p;1.6:-2m1o;6.2:-2m1n;2:-2lzq;1:-2m1e;1:-2m1g;1:-2m17;1:-2lz4;1:-1q1n;1:-2lz0;y=;4h.7=;am=;1q.4=;e8.4=;76.2=;6t=;3=;8.2=;7=;d7.7=;1c.y:y;1w.7=;xo.2:-2od5;2:-2od2;1:-2od0;2:-2ocd;1:-2od0;1:-2od6;1:-2ocx;1:-2ocf;1.4:-2ocn;4:-2od7;1:-2od2;1:-2ocv;1:-2od8;1:-2ocw;1:-2ode;1:-2odc;1.2:-2odn;2:-2odl;1:-2odk;1:-2odf;1:-2ode;1:-2odd;1:-2oby;1:-2o9v;1:-2oal;1:-2oc0;2:-2oe1;1:-2ody;2:-2od9;3:-2oe2;2:-2odb;1.4:-2odj;4:-2oe3;1:-2ody;1:-2odr;1:-2oe4;1:-2ods;2:-2oe8;1.2:-2oej;2:-2oeh;2:-2oeb;2:-2oe9;7:-2oeu;5:-2oey;2:-2oe7;2.2,:-2oef;3:-2oez;1:-2oeu;2:-2of0;1:-2oeo;2:-2of4;3:-2ofd;2:-2of7;2:-2of5;2:-2obn;2:-2ods;2:-2oft;1:-2ofq;2:-2of1;3:-2ofu;1:-2ofl;1:-2of3;1.2,:-2ofb;3:-2ofb;1:-2ofv;1:-2ofq;1:-2ofj;1:-2ofw;1:-2ofk;2:-2og0;1.2:-2ogb;2:-2og9;2:-2og3;1:-2og2;1:-2og1;1:-2oem;2:-2od9;2.2:-2ogp;2:-2ogm;1:-2ogk;1.2:-2ofx;2:-2ogk;1:-2ogq;1:-2ogh;1:-2ofz;2.3:-2og7;3:-2ogr;1:-2ogm;1:-2ogf;1:-2ogs;1:-2ogg;1:-2ogy;1:-2ogw;1.2:-2oh7;2:-2oh5;1:-2oh4;1:-2ogz;1:-2ogy;1:-2ogx;6:-2ohl;1:-2ohi;1:-2ohg;2:-2ogt;1:-2ohg;1:-2ohm;1:-2ohd;1:-2ogv;2.3:-2oh3;3:-2ohn;1:-2ohi;1:-2ohb;1:-2oho;1:-2ohc;1:-2ohu;1:-2ohs;1.2:-2oi3;2:-2oi1;1:-2oi0;1:-2ohv;1:-2ohu;1:-2oht;g5=1c+1a;1=1c+18;1=1d+18;1=1e+18;1=1f+18;1=1g+18;1=1h+18;1=1i+18;1=1j+18;1=1k+18;1=1l+18;6=14+2p+15;1=14+2q+15;1=14+2r+15;1=14+2s+15;1=14+2t+15;1=14+2u+15;1=14+2v+15;1=14+2w+15;1=14+2x+15;1=14+2y+15;1=14+2z+15;1=14+30+15;1=14+31+15;1=14+32+15;1=14+33+15;1=14+34+15;1=14+35+15;1=14+36+15;1=14+37+15;1=14+38+15;1=14+39+15;1=14+3a+15;1=14+3b+15;1=14+3c+15;1=14+3d+15;1=14+3e+15;1=9hw+37+9hx;1:-2q4o;1:-2q4a;1=2r+2s;1=3b+3e;2.q:-2q4v;q=2w+3a;1=31+3a;1=37+2s;1=37+37;1=34+34+3a;1=3b+2r;r=31+2r;1=31+2s;1=31+36;10=2s+2y;34=9kr+9jf;1=9mb+9mb;1:-2gr1;e:-26yt;1:-28ca;1:-29ty;1:-2gr1;1:-2avc;1:-28sb;1:-1z5f;1:-28ry;1:-2aus;1:-267t;1:-241l;1:-26bm;1:-2a4v;1:-27ip;1:-2aa9;1:-26b3;1:-2a6b;1:-21nj;1:-239f;1:-1ym2;1:-28tw;1:-29rg;1:-24gi;1:-26xe;1:-26s3;1:-2azt;1:-2azl;1:-1xwh;1:-27uu;1:-2ayo;1:-29tn;1:-26ug;1:-1ygw;1:-26zi;1:-22ep;1:-227t;1:-29t8;1:-24l1;1:-2625;1:-2627;1:-239h;1:-2a4n;1:-29hg;1:-1xpq;5=9hw+kdo+9hx;1=9hw+fex+9hx;1=9hw+fik+9hx;1=9hw+i2x+9hx;1=9hw+m9l+9hx;1=9hw+jf7+9hx;1=9hw+nh3+9hx;1=9hw+gd9+9hx;1=9hw+k0n+9hx;8:-27jt;1:-29uq;1wf.a:-2sao;1dvc:-3vcc;c:-3ndt;4r:-zuc;1s:-3i41;2o:-3so8","composed":"4g k8 2 6 4 7 1 1 1 k 8 au 2f 4 47 6k ez 2j 1z 4 d 2 1 5 27 1 2 1 y 4 1 1 6h 1 2 3 e 2 1i 2 1g 4 3e 1 3b 5 2 2 1 4 3g 6 3u 6 2b 8 3c b u 4 18 1o 5 w 6 11 5 w 2x 4g 2m2 7q 2 6 2 12 2 6 2 8 1 1 1 1 1 1 1 v 2 1h 1 f 1 e 2 6 1 j 2 3 1 9 1 2t b 2 2 r p q 1q 3w e i8 1i 1ec mj 2d c 5y 16 1s c 23 4 2t 1d 2m 3 2c q v 1 mlp 1gz 8mc 6l8 a6 42 7 c 5 5 q 1 5 1 1 1 2 1 2 1 i2 w 16 m z 1 j 1 4 4 5 1 3r 4 5a 3 6 2 6 2 6 2 3 3 7 1 7 15db 3x et 2d 1 1z 1 2 2 1 2 2 2 4 1 c 1 1 1 7 1 1t 1 4 2 8 1 7 1 s 1 4 1 5 1 1 3 7 1 9g 2 84 2 ji 1kdw f2","letters":"1c a 13 q 2z h 1 cq 4 c q 1 1 1 3m 4 2 1 3 5 1d 1x 2 3u 9 4l 15 1 6 15 1z r 4 4 19 22 4 2u 1 8 8 4 5 f 2 1 g 1n 2 2h b 1 e 1i 4 1 5 1a i s 4 b 5 o 1 7 g 1u y 1i 3 1 i 5 b 2 4 a 1 g 4 8 2 2 2 m 1 7 1 1 3 4 3 1 g 1 h 2 4 c 2 6 2 1 8 6 4 2 2 m 1 7 1 2 1 2 1 2 y 1 9 a 2 3 g 9 1 3 1 m 1 7 1 2 1 5 3 1 i 1 f 2 4 a 9 1 b 8 2 2 2 m 1 7 1 2 1 5 3 1 x 3 4 a 1 7 b 1 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3 c m 1 l d i 8 1 3 1 n 1 g 3 1 q 3 1 2 2 2 4 a 8 7 1 1 4 8 1 3 1 n 1 a 1 5 3 1 u 3 1 2 4 a 1 2 h 9 1 3 1 18 g 1 5 3 1 a 4 j 1 6 5 i 3 o 1 9 1 1 2 7 v a h 1c 1 2 c 7 9 a 13 2 1 1 1 5 1 o 1 1 1 a 1 2 9 1 2 5 1 1 9 a 4 2 w 1 v k c 8 1 10 r 5 37 17 k b 6 6 4 4 3 1 3 2 7 3 4 d c 1 1 a 1i 17 2 98 1 4 2 7 1 1 1 4 2 15 1 4 2 x 1 4 2 7 1 1 1 4 2 f 1 1l 1 4 2 1v e k 3 g g 2e b h8 2 h 1 q 5 23 3 b 7 i d j e i e d 1 3 f 1g z 1 4 2 2 a 6 a m a 6 2h 7 5 2 10 5 1y a v 13 14 2 5 b 18 4 q 6 b 11 p 7 1h 17 a 6 a d 1 2l 1c g 8 3 a 15 u d 1l p 10 s a 3 1d c 1 2m e 3 1 5 eu fs 1 1d a o1 l hi u ws 51 7 8 9 1 2 12 1 1 5 1 2 1k o n 9 7 1 7 1 7 1 7 1 7 1 7 1 7 1 7 28 1 d1 3 p f 1 6 4 2 4 2e 6 3 1 2i 1 4 5 17 34 w 1c 1b 15 1j ap 534 1s h3h 1v 1a 2 7h 3 s l 1b f 37 11 9 3 2u 3 29 p c 1 8 1 n d 6 a 1g e 1e s a o 6 3 1 1 2 1 12 a n p t 7 1c r b 6 5 1 p 1 15 n 3 1 8 4 a 6 n 3 1 3 1x o 3 2 b 7 3 c 6 2 6 2 6 9 7 1 7 1 17 5 a 2e z d a 8mu n 4 1d 6qa 2o sl 2 az c 1 q 1 j 1 2 1 f 2 e y 3f c 19 c 1l h 2 6s t 3 1d g r 4 10 9 u 5 17 5 u 2 10 4 8 1 5 2a 3a 2 a 1a 10 4 14 8 1g 1f b 1 f 1 7 1 2 3 1g c 8n 9 m a 8 o 6 3e 6 2 1 1 18 1 2 3 1 2 n 2 v 2 12 8 9 1c j 1 2 5 x 4 q 6 q 12 1k 4 k 2 1b f 4 1 3 1 t a 9 n v 1 w w 8 1 u 4 5 g 1i a m 2 r 5 q n 7 28 21 3b 1f 7 1a 8 a 6 12 9 n 62 v 1 16 6 2 g 6 1k 14 8 11 r m 16 s k n c 1h q x 2 1 d 19 w p 7 a 9 10 f a 4 1 2 1 8 10 2 1 c 1c e 4 b b 1 1 4 k b i 1 p j 2 1r 7 1 1 1 4 1 f 1 a 7 1b h a b 8 2 2 2 m 1 7 1 2 1 5 3 1 i 1 c 5 u a 1 1 4 12 1 1 p 1 1 1 18 1h i 4 5 a 5 3 u 1c k 2 1 1 8 a 4m 1b 15 4 10 1c k 1 b a 12 17 d 1 7 a 6 k s r l c 4 7 55 18 44 1f c 8 2 1 2 8 1 2 1 o f 1 1 1 e a 1y 8 2 13 g 1 1 1 s 1 a 14 7 1 l 1 b 1a j 1 i 21 5j x f a 6 9 1 11 h 1 f t 5 u 34 7 1 2 1 12 l 1 9 a 6 6 1 2 1 w e 1 7 a 6 18 4 a 6u j f 1 1 d 1 y s a 2e 1 f l 17 pm 2u 33 h 5g 218 2p f ts h 6 p 32z 5 g7 5a1 u i a 1c6 ft 7 v 1 a 6 27 1 a 6 u i 1j 9 4 c a 1 7 1 l 5 j c0 19 3 a 6e 1j 10 p 18 23 5 1 1u d 1s 2 1 1 e 5 9 5p2 15 w 2p 37 6pp 4 1 7 1 2 1 83 f 1 t 3 2 1 e 4 8 b0 1s4 2z 5 d 3 9 7 a 4di k c k 30 p 29z v 6 6 d1 19 a 7 2 a 4 1 8x v h 1m d2 16 5y 17 5h v 1 m 8 2 68 7 1 4 1 2 1 f 1 5h 2 g 23 16 4 a lz 1n 1 3 1 4 24 19 1 f r1 2 2yb wyo w 3dq 2 4ge 2 5rl f ha 3he 3t7 5 6ju"},"text":{"characters":200,"words":8},"schema_version":"1.0","kinds":{"projects":"project","programs":"program","organizations":"organization","events":"event"},"unavailable":{"status":503,"title":"Service Unavailable","headers":{"Cache-Control":"no-store","CDN-Cache-Control":"no-store","Retry-After":"5"}},"index":{"format":2,"prefix":3,"most":{"reads":50,"bytes":33554432,"seconds":10,"records":1048576,"size":100,"manifest":4194304},"key":"/:filter/:value","manifest":"/api/index/:collection/manifest.json","keys":"/api/index/:collection/keys/:number.bin","numbers":"/api/index/:collection/sort/:sort/:number.bin","rows":"/api/index/:collection/rows/:number.txt","blocks":"/api/index/:collection/blocks/:number.txt"}}
const LONGEST_SHOWN=80
function problem(table,code,detail,allowed){const published=table.problems[code]
return{status:published[0],problem:code,detail:detail||published[2],allowed:allowed||null}}
function document(found,table){return{type:table.problem.type.replace(':code',found.problem),title:table.problems[found.problem][1],status:found.status,detail:found.detail,code:found.problem,allowed:found.allowed,help:table.problem.help,}}
function matches(pattern,value){return new RegExp(`^(?:${pattern})$`).test(value)}
function shown(text){return text.length>LONGEST_SHOWN?`${text.slice(0, LONGEST_SHOWN)}…`:text}
function fill(template,values){return template.replace(/:([a-z]+)/g,(_,name)=>values[name])}
function plainly(path){return path.replace(/%([0-9A-Fa-f]{2})/g,(encoded,code)=>{const character=String.fromCharCode(parseInt(code,16))
return /[A-Za-z0-9._~-]/.test(character)?character:encoded})}
function unprefixed(path,table){return table.prefix&&path.indexOf(`${table.prefix}/`)===0?path.slice(table.prefix.length):path}
function route(method,path,rawQuery,table,readText){if(table.methods.indexOf(method)<0)return{status:405,allow:table.methods}
if(method==='OPTIONS')return{status:204,allow:table.methods}
const plain=plainly(path)
const inside=unprefixed(plain,table)
for(let i=0;i<table.lists.length;i++){const list=table.lists[i]
if(inside===list.root)return routeList(rawQuery,list,table,readText)
const slug=inside.indexOf(`${list.root}/`)===0?inside.slice(list.root.length+1):''
if(slug.length<=table.longest.slug&&matches(table.patterns.slug,slug)){if(rawQuery)return tooMuch(inside,table)
return{status:200,file:list.root+fill(table.files.record,{slug:slug}),record:list,slug:slug}}}
if(Object.prototype.hasOwnProperty.call(table.documents,inside)){return rawQuery?tooMuch(inside,table):{status:200,file:table.documents[inside]}}
const encoded=inside.indexOf('%')>=0
const reached=encoded?unprefixed(plain.replace(/%2f/gi,'/'),table).toLowerCase():inside
if(reached.indexOf(table.api)===0&&(encoded||!/[^/]\.[a-z0-9]+$/.test(inside)))return problem(table,'not-found')
return{status:200,file:inside}}
function tooMuch(path,table){return problem(table,'unknown-parameter',`${table.prefix}${path} takes no parameters.`)}
function routeList(rawQuery,list,table,readText){if(!rawQuery){if(list.bare)return{status:200,file:list.bare}
return problem(table,'mode-required',`Ask for a page: ${table.prefix}${list.root}?mode=page`)}
const pairs=rawQuery.split('&').map((token)=>{const at=token.indexOf('=')
return at<0?[token,'']:[token.slice(0,at),token.slice(at+1)]})
const known=Object.keys(list.parameters)
for(let i=0;i<pairs.length;i++){if(!pairs[i][0])return problem(table,'invalid-parameter','The query has an empty parameter.',known)
if(!pairs[i][1])return problem(table,'invalid-parameter',`The parameter "${shown(pairs[i][0])}" has no value.`,known)}
for(let i=0;i<pairs.length;i++){if(known.indexOf(pairs[i][0])<0){return problem(table,'unknown-parameter',`There is no parameter "${shown(pairs[i][0])}" here.`,known)}}
const given={}
for(let i=0;i<pairs.length;i++){if(given[pairs[i][0]]!==undefined){return problem(table,'repeated-parameter',`The parameter "${pairs[i][0]}" is given more than once.`)}
given[pairs[i][0]]=pairs[i][1]}
if(given.mode!=='page')return problem(table,'mode-required','Only mode=page is answered.',['page'])
const searched=given.q!==undefined
const read=searched&&readText?readText(given.q):{text:searched?given.q:null}
if(read.fault)return problem(table,'invalid-parameter',read.fault)
const sorts=searched?['relevance'].concat(list.sorts):list.sorts
const sort=given.sort||sorts[0]
if(sorts.indexOf(sort)<0)return problem(table,'invalid-parameter',`There is no sort "${shown(sort)}" here.`,sorts)
const page=given.page||'1'
if(!matches(table.patterns.page,page))return problem(table,'invalid-parameter','A page is a whole number from 1.')
const filters={}
const names=known.filter((name)=>given[name]!==undefined&&(list.parameters[name]||list.fixed[name]))
for(let i=0;i<names.length;i++){const name=names[i]
const value=given[name]
const fixed=list.fixed[name]
if(fixed&&value!==fixed.value){return problem(table,'invalid-parameter',`${name} can only be ${fixed.value}.`,[fixed.value])}
if(!fixed&&(value.length>table.longest.value||!matches(table.patterns[list.parameters[name]],value))){return problem(table,'invalid-parameter',`"${name}" has a value that no ${name} can have.`)}
filters[name]=value}
const plain=sort===list.sorts[0]
const query={collection:list.name,filters:filters,sort:given.sort||'',order:sort,q:read.text,page:Number(page)}
if(searched||names.length>1||(names.length&&!plain)){const refused=problem(table,'unsupported-combination')
refused.query=query
return refused}
const name=names[0]
const values={filter:name,value:filters[name],sort:sort,page:page}
if(list.fixed[name])return{status:200,file:fill(list.fixed[name].file,values),query:query}
return{status:200,file:list.root+fill(table.files[name?'by':plain?'plain':'sorted'],values),query:query}}
let folding
function unpackedFolding(packed){const numbers=(text,between)=>(text?text.split(between).map((number)=>parseInt(number,36)):[])
const bounds=(text)=>Uint32Array.from(numbers(text,' '),((at)=>(gap)=>(at+=gap))(0))
const folds=new Map()
let code=0
for(const run of packed.folds.split(';')){const [,gap,count,second,sign,to]=/^(\w+)\.?(\w*)(,?)([:=])(.*)$/.exec(run)
const codes=numbers(to,'+')
code+=parseInt(gap,36)
for(let i=0,one=code;i<parseInt(count||'1',36);i++,one+=second?2:1){folds.set(one,String.fromCodePoint(...(sign==='='?codes:[one+codes[0]])))}}
return{folds,composed:bounds(packed.composed),letters:bounds(packed.letters)}}
function within(bounds,code){let [low,high]=[0,bounds.length]
while(low<high){const middle=(low+high)>>1
if(bounds[middle]<=code)low=middle+1
else high=middle}
return low % 2===1}
function fold(text,table){if(!/[^\0-\x7f]/.test(text))return text.toLowerCase()
folding??=unpackedFolding(table.folding)
const one=(character)=>folding.folds.get(character.codePointAt(0))??character
return Array.from(text,(character)=>{const code=character.codePointAt(0)
if(code<128)return character.toLowerCase()
if(folding.folds.has(code)||!within(folding.composed,code))return one(character)
return Array.from(character.normalize('NFKD'),one).join('')}).join('')}
function wordsOf(text,table){const known=(character)=>{const code=character.codePointAt(0)
return code<128?/[a-z0-9]/.test(character):within(folding.letters,code)}
const spaced=Array.from(fold(text,table),(character)=>(known(character)?character:' '))
return spaced.join('').split(' ').filter(Boolean)}
function textOf(raw,table){const{characters,words}=table.text
const broken=/%(?![0-9A-Fa-f]{2})/g
let text
try{text=decodeURIComponent(raw.replace(/\+/g,' ').replace(broken,'%25'))}catch{text='\ufffd'}
if(text.includes('\ufffd'))return{fault:'q is not percent-encoded UTF-8.'}
if(raw.search(broken)>=0||[...text].length>characters){return{fault:`q is percent-encoded text of at most ${characters} characters.`}}
const count=wordsOf(text,table).length
return count>=1&&count<=words?{text}:{fault:`q has 1 to ${words} words of letters and digits.`}}
function resolve(method,path,rawQuery,table){return route(method,path,rawQuery,table,(raw)=>textOf(raw,table))}
function beside(path,url){const found=new URL(url)
found.pathname=path
found.search=''
return found}
async function respond(request,fetchAsset,table,search){const{pathname,search:query}=new URL(request.url)
const found=resolve(request.method,pathname,query.slice(1),table)
const head=request.method==='HEAD'
if(found.allow)return allowed(found,table)
if(found.problem&&found.query&&search)return searched(found.query,request,fetchAsset,table,search)
if(found.problem)return refusal(found,table,head)
const api=found.file.startsWith(table.api)
const may=found.record||(found.query&&(found.query.filters.program||found.query.filters.organization))
const method=may?'GET':request.method
const asset=found.file.includes('//')
?new Response(null,{status:404})
:await fetchAsset(found.file,{method,headers:request.headers,redirect:'manual'})
if(!api&&asset.status!==404)return asset
if(!api){const page=await fetchAsset(table.missing,{method:request.method})
const{body,headers}=page.ok?page:asset
return new Response(head?null:body,{status:404,headers})}
if(asset.status===404){const read=(path)=>bytesOf(path,request,fetchAsset)
const location=await present(found,read,table)
if(location)return new Response(null,{status:308,headers:{...table.headers,location}})
return refusal(await absent(found,read,table),table,head)}
const headers=new Headers(asset.headers)
for(const [name,value] of Object.entries(table.headers))headers.set(name,value)
if(asset.ok||asset.status===304)headers.set('content-location',table.prefix+found.file)
let body=head||asset.status===304?null:asset.body
if(may&&asset.ok){const text=await asset.text()
if(isMoved(text)){const{links,data}=JSON.parse(text)
const location=found.record?`${table.prefix}${found.record.root}/${data.replaced_by}`:links.replaced_by
return new Response(null,{status:308,headers:{...table.headers,location}})}
body=head?null:text}
return new Response(body,{status:asset.status,headers})}
async function searched(query,request,fetchAsset,table,search){const known=request.headers.get('if-none-match')??''
const has=(etag)=>(known.match(/"[^"]*"/g)??[]).includes(etag)
const head=request.method==='HEAD'
const{body,etag,...refused}=await search(query,(path)=>bytesOf(path,request,fetchAsset),table,has)
if(!etag)return refusal(refused,table,head)
const headers={...table.headers,etag}
if(!body||known.trim()==='*')return new Response(null,{status:304,headers})
return new Response(head?null:body,{headers:{...headers,'content-type':table.json}})}
async function bytesOf(path,request,fetchAsset){const headers=new Headers(request.headers)
const conditions=['if-match','if-none-match','if-modified-since','if-unmodified-since','if-range']
for(const name of [...conditions,'range','accept-encoding'])headers.delete(name)
const asset=await fetchAsset(path,{headers})
const body=await asset.arrayBuffer()
return asset.ok?new Uint8Array(body):null}
function isMoved(text){return text.slice(0,99).includes('"kind":"moved"')}
async function present(found,read,table){const [filter,value]=Object.entries((found.query&&found.query.filters)||{})[0]||[]
const list=table.lists.find(({name})=>table.kinds[name]===filter)
const record=list&&(await read(list.root+fill(table.files.record,{slug:value})))
const text=record&&new TextDecoder().decode(record)
if(!text||!isMoved(text))return undefined
return table.prefix+found.file.replace(`/${filter}/${value}/`,`/${filter}/${JSON.parse(text).data.replaced_by}/`)}
async function absent(found,read,table){if(found.record)return problem(table,'not-found',`There is no ${table.kinds[found.record.name]} "${found.slug}".`)
if(!found.query)return problem(table,'not-found')
const{collection,filters,page}=found.query
const first=await read(found.file.replace(/[0-9]+(?=\.json$)/,'1'))
const pages=first?totalOf(first):0
if(pages&&page>pages)return pastTheEnd(page,pages,table)
const asked=Object.entries(filters).filter(([name])=>!table.lists.some((list)=>name in list.fixed))
if(!first&&asked.length)return unknownValue(collection,...asked[0],table)
return{...table.unavailable,detail:`The build is damaged: ${found.file} is missing. Build it again.`}}
function totalOf(page){try{return JSON.parse(new TextDecoder().decode(page)).page.total_pages}catch{return 0}}
function pastTheEnd(page,pages,table){return problem(table,'not-found',`There is no page ${page}: the list has ${pages} page${pages === 1 ? '' : 's'}.`)}
function unknownValue(collection,filter,value,table){const{root}=table.lists.find(({name})=>name===collection)
const values=table.prefix+root+fill(table.files.values,{filter})
return problem(table,'not-found',`No ${table.kinds[collection]} has the ${filter} "${value}"; ${values} lists its values.`)}
function refusal(found,table,head){const headers={...table.headers,...found.headers,'content-type':table.type}
const{status,title,detail}=found
const body=found.problem?document(found,table):{type:'about:blank',title,status,detail}
return new Response(head?null:`${JSON.stringify(body)}\n`,{status,headers})}
function allowed(found,table){const headers={...table.headers,allow:found.allow.join(', ')}
if(found.status===204)return new Response(null,{status:204,headers:{...headers,...table.preflight}})
return new Response(`${table.not_allowed}\n`,{status:found.status,headers:{...headers,'content-type':table.type}})}
class Mixed extends Error{}
class Damaged extends Error{}
const [encoder,decoder]=[new TextEncoder(),new TextDecoder('utf-8',{fatal:true,ignoreBOM:true})]
const SEAL=',"check":"00000000"}\n'
const MOST_KEPT=16 * 2 ** 20
const [kept,manifests]=[new Map(),new Map()]
let keptBytes=0
async function search(query,read,table,has=()=>false){let before
for(let attempt=1;attempt<=2;attempt++){const reader=new Reader(query,read,table)
try{return await answer(reader,has)}catch(error){if(error.status)return error
if(error instanceof Damaged)return damaged('a file of it is not one that a build writes',table)
if(!(error instanceof Mixed))throw error
if(reader.said===before)return damaged(error.message,table)
before=reader.said}}
return unavailable('The registry is being replaced; ask again in a moment.',table)}
function unavailable(detail,table){return{...table.unavailable,detail}}
function damaged(how,table){const onward='Unless it is being published just now, build and publish it again.'
return unavailable(`The search index is damaged: ${how}. ${onward}`,table)}
const isWhole=(number,least,most)=>Number.isInteger(number)&&number>=least&&number<=most
const filesOf=(things,aFile)=>(aFile?Math.ceil(things / aFile):0)
class Reader{constructor(query,read,table){const{most}=table.index
Object.assign(this,{query,read,table,most,reads:1,bytes:0,until:Date.now()+most.seconds * 1000})}
get list(){return this.table.lists.find(({name})=>name===this.query.collection)}
path(name,number){return fill(this.table.index[name],{collection:this.query.collection,sort:this.query.order,number})}
async one(path){try{return await this.read(path)}catch{throw unavailable('The search index cannot be read.',this.table)}}
async manifest(){const{collection}=this.query
const raw=await this.one(this.path('manifest'))
if(!raw)throw unavailable(`There is no search index of ${collection} here.`,this.table)
let found=manifests.get(collection)
if(!found||!same(found.raw,raw)){found={raw,check:crc32(raw),...this.parsed(raw)}
manifests.set(collection,found)}
this.said=found
return found}
parsed(raw){const{most,format}=this.table.index
const{unicode}=this.table.folding
let found
try{found=raw.length<=most.manifest?JSON.parse(decoder.decode(raw)):null
if(found.kind!=='search_index'||!isWhole(found.format,0,2 ** 30))throw new Damaged()
if(found.format!==format){throw unavailable(`The search index has the format ${found.format}; this program reads ${format}.`,this.table)}
if(!isSealed(raw)||found.collection!==this.query.collection)throw new Damaged()
if(typeof found.unicode!=='string'||!/^[0-9]{1,3}(\.[0-9]{1,3}){1,2}$/.test(found.unicode))throw new Damaged()
if(found.unicode!==unicode){const both=`was made by Unicode ${found.unicode}; this program folds words by ${unicode}`
throw unavailable(`The search index ${both}. They go together in one version of the generator.`,this.table)}
return this.held(found)}catch(error){throw error.status?error:damaged('its manifest is not one that a build writes',this.table)}}
held(found){const{count,size,as_of:day,shards,split,rows,pages_a_block:many,block_bytes:bytes,sorts}=found
const{most}=this.table.index
const pages=Math.max(1,Math.ceil(count / size))
const files={keys:shards,rows:filesOf(count,rows),pages,blocks:filesOf(pages,many)}
const wanted=this.list.sorts.slice(1)
for(const [name,[width,chunk]] of Object.entries(sorts)){if(!wanted.includes(name)||![2,4].includes(width)||!isWhole(chunk,1,2 ** 30))throw new Damaged()
files[`sort/${name}`]=filesOf(count,chunk)}
const checks={}
for(const [name,packed] of Object.entries(found.checks))checks[name]=numbersOf(unpacked(packed),4)
const right=
isWhole(count,0,most.records)&&isWhole(size,1,most.size)&&isWhole(rows,0,size - 1)&&
isWhole(many,0,most.records)&&isWhole(shards,1,most.records)&&!(shards&(shards - 1))&&
Object.keys(sorts).length===wanted.length&&Object.keys(checks).length===Object.keys(files).length&&
Object.entries(files).every(([name,number])=>checks[name].length===number)&&
Array.isArray(bytes)&&bytes.length===files.blocks&&bytes.every((number)=>isWhole(number,0,2 ** 53))&&
(day===null||(typeof day==='string'&&/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(day)))&&
Array.isArray(split)&&split.every((group)=>typeof group==='string')
if(!right)throw new Damaged()
return{...found,checks,split:new Set(split)}}
async files(wanted,expected=0){this.reads+=wanted.length
this.bound('reads',this.reads)
this.bound('bytes',this.bytes+expected)
const found=await Promise.all(wanted.map(([path,check])=>this.file(path,check)))
this.bytes+=found.reduce((sum,data)=>sum+data.length,0)
this.inTime()
return new Map(wanted.map(([path],i)=>[path,found[i]]))}
inTime(){if(Date.now()>this.until)throw unavailable(`The answer took longer than ${this.most.seconds} seconds.`,this.table)}
bound(what,needed){if(needed<=this.most[what])return
const bound=`This query needs ${needed} ${what}, and at most ${this.most[what]} are allowed.`
throw problem(this.table,'invalid-parameter',`${bound} Ask with fewer or longer words, or fewer filters.`)}
async file(path,check){const key=`${path} ${check}`
let data=kept.get(key)
if(!data){data=await this.one(path)
if(!data)throw new Mixed(`${path} is missing`)
if(crc32(path.endsWith('.json')?rowsIn(data):data)!==check){throw new Mixed(`${path} is not the file that the manifest means`)}
keptBytes+=kept.has(key)?0:data.length}
kept.delete(key)
kept.set(key,data)
for(const [oldest,{length}] of kept){if(keptBytes<=MOST_KEPT)break
kept.delete(oldest)
keptBytes -=length}
return data}}
async function answer(reader,has){const{query,table}=reader
const manifest=await reader.manifest()
const etag=etagOf(query,manifest,table)
if(has(etag))return{etag}
const matches=await ordered(await matching(reader,manifest),reader,manifest)
const{size}=manifest
const pages=Math.max(1,Math.ceil(matches.length / size))
if(query.page>pages)throw pastTheEnd(query.page,pages,table)
const rows=await rowsAt(matches.subarray((query.page - 1)* size,query.page * size),reader,manifest)
return{body:listBytes(query,rows,matches.length,pages,manifest,table),etag}}
function etagOf(query,{check,raw},table){const asked=crc32(encoder.encode(`${table.made} ${address(query, query.page, table)}`))
return `"${[check, raw.length, asked].map((number) => number.toString(16)).join('-')}"`}
async function matching(reader,manifest){const{query,table}=reader
const shard=(group)=>crc32(encoder.encode(group))&(manifest.shards - 1)
const filters=Object.entries(query.filters)
const keys=filters.map(([filter,value])=>fill(table.index.key,{filter,value}))
const words=[...new Set(query.q===null?[]:wordsOf(query.q,table))]
const conditions=keys.map((key)=>[shard(key),key,false])
conditions.push(...words.map((word)=>place(word,shard,manifest.split,table)))
const numbers=[...new Set(conditions.map(([number])=>number))]
const shards=await reader.files(numbers.map((number)=>[reader.path('keys',number),manifest.checks.keys[number]]))
const found=conditions.map(([number,key,more])=>{reader.inTime()
return lookUp(shards.get(reader.path('keys',number)),encoder.encode(key),more,manifest.count)})
filters.forEach(([name,value],i)=>{if(!found[i])throw unknownValue(query.collection,name,value,table)})
if(found.includes(null))return new Uint32Array(0)
const ofWords=found.slice(filters.length).map(({ranks})=>ranks)
const [least,...others]=found.sort((a,b)=>a.count - b.count)
const matches=new Uint32Array(least.count)
for(let p=0,i=0;i<matches.length;p++)if(least.ranks[p])matches[i++]=p
let count=matches.length
for(const{ranks}of others){const before=count
count=0
for(let i=0;i<before;i++)if(ranks[matches[i]])matches[count++]=matches[i]}
const all=matches.subarray(0,count)
if(query.order!=='relevance')return all
return sorted(all,(p)=>ofWords.reduce((sum,ranks)=>sum+ranks[p],0),3 * ofWords.length)}
function place(word,shard,split,table){const letters=[...word]
let end=table.index.prefix
if(letters.length<end)return [shard(word),word,false]
const group=()=>letters.slice(0,end).join('')
while(split.has(group())&&end<letters.length)end+=1
return split.has(group())?[shard(group()),`*${word}`,false]:[shard(group()),word,true]}
function lookUp(data,wanted,more,records){const ranks=new Uint8Array(records)
let [at,count,known,before]=[0,0,false,data.subarray(0,0)]
const varint=()=>{let number=0
for(let factor=1;factor<=2 ** 28;factor *=128){const byte=data[at++]
number+=(byte&127)* factor
if(byte<128)return number}
throw new Damaged()}
const mark=(p,rank)=>{if(p>=records)throw new Damaged()
if(!ranks[p])count++
if(!ranks[p]||ranks[p]>rank)ranks[p]=rank}
while(at<data.length){const size=varint()
const key=data.subarray(at,at+size)
at+=size
const end=varint()+at
if(end>data.length||compared(before,key)>=0)throw new Damaged()
before=key
let same=size===wanted.length||(more&&size>wanted.length)
for(let i=0;same&&i<wanted.length;i++)same=key[i]===wanted[i]
known||=same
for(let least=1;same&&at<end;){const rank=(data[at]&3)+1
const width=data[at++]>>2
const number=varint()
const last=number *(width||1)+at
if(rank<least||rank>3||![0,1,2,4].includes(width)||!number||last>end)throw new Damaged()
if(width&&number>records)throw new Damaged()
least=rank+1
for(let p=0;width&&at<last;at+=width){p+=data[at]
if(width>1)p+=data[at+1]<<8
if(width>2)p+=(data[at+2]<<16)+data[at+3] * 2 ** 24
mark(p,rank)}
for(let first=0;at<last;first+=8){for(let p=first,bits=data[at++];bits;p++,bits>>=1)if(bits&1)mark(p,rank)}}
at=end}
return known?{ranks,count}:null}
function compared(a,b){let i=0
while(i<a.length&&a[i]===b[i])i++
return i<a.length&&i<b.length?a[i] - b[i]:a.length - b.length}
function sorted(positions,numberOf,most){const starts=new Uint32Array(most+2)
for(let i=0;i<positions.length;i++)starts[numberOf(positions[i])+1]++
for(let n=1;n<starts.length;n++)starts[n]+=starts[n - 1]
const found=new Uint32Array(positions.length)
for(let i=0;i<positions.length;i++)found[starts[numberOf(positions[i])]++]=positions[i]
return found}
async function ordered(positions,reader,manifest){const{order}=reader.query
if(order==='relevance'||order===reader.list.sorts[0]||!positions.length)return positions
const [width,chunk]=manifest.sorts[order]
const wanted=[]
for(let i=0;i<positions.length;i++)wanted[Math.floor(positions[i] / chunk)]=true
const parts=Object.keys(wanted)
const files=await reader.files(parts.map((n)=>[reader.path('numbers',n),manifest.checks[`sort/${order}`][n]]))
const numbers=[]
for(const n of parts){const data=files.get(reader.path('numbers',n))
if(data.length!==width * Math.min(chunk,manifest.count - n * chunk))throw new Damaged()
numbers[n]=numbersOf(data,width)}
const numberOf=(p)=>numbers[Math.floor(p / chunk)][p % chunk]
const found=sorted(positions,(p)=>65535 -(numberOf(p)&65535),65535)
return width===2?found:sorted(found,(p)=>65535 -(numberOf(p)>>>16),65535)}
function numbersOf(data,width){if(data.length % width)throw new Damaged()
const bytes=data.byteOffset % width?data.slice():data
return new(width===2?Uint16Array:Uint32Array)(bytes.buffer,bytes.byteOffset,bytes.length / width)}
async function rowsAt(positions,reader,manifest){const{rows,size,pages_a_block:many,checks}=manifest
const pageAt=(page)=>reader.list.root+fill(reader.table.files.plain,{page})
const pathOf=([level,n])=>(level==='pages'?pageAt(n+1):reader.path(level,n))
const sizes=Object.entries({rows,pages:size,blocks:size * many}).filter(([,held])=>held)
const files=cover(positions,sizes,reader.most.reads - reader.reads)
const distinct=[...new Map(files.map((file)=>[pathOf(file),file]))]
const expected=distinct.reduce((sum,[,[level,n]])=>sum+(level==='blocks'?manifest.block_bytes[n]:0),0)
const read=await reader.files(distinct.map(([path,[level,n]])=>[path,checks[level][n]]),expected)
const rowsOf=(data,[level,n,held])=>{const paged=level==='pages'
const inside=paged?rowsIn(data):data.subarray(0,data.length -(data[data.length - 1]===10))
return linesIn(inside,paged,Math.min(held,manifest.count - n * held))}
const lines=new Map(distinct.map(([path,file])=>[path,rowsOf(read.get(path),file)]))
return files.map((file,i)=>lines.get(pathOf(file))[positions[i] % file[2]])}
function cover(positions,[[first,rows],...larger],most){let files=Array.from(positions,(p)=>[first,Math.floor(p / rows),rows])
const names=(of)=>new Set(of.map(([level,n])=>`${level} ${n}`))
for(const [level,size] of larger){const replaced=new Map()
files.forEach((file,i)=>{const n=Math.floor(positions[i] / size)
replaced.set(n,[...(replaced.get(n)??[]),file])})
const gains=[...replaced].map(([n,held])=>[n,names(held).size]).sort(([a,m],[b,n])=>n - m||a - b)
for(const [n,gain] of gains){if(names(files).size<=most||gain<2)break
files=files.map((file,i)=>(Math.floor(positions[i] / size)===n?[level,n,size]:file))}}
return files}
function unpacked(base64){if(typeof base64!=='string'||!/^[A-Za-z0-9+/]*={0,2}$/.test(base64))throw new Damaged()
const text=atob(base64)
const bytes=new Uint8Array(text.length)
for(let i=0;i<bytes.length;i++)bytes[i]=text.charCodeAt(i)
return bytes}
function rowsIn(page){const start=page.indexOf(10)+1
return page.subarray(start,Math.max(start,page.lastIndexOf(10,page.length - 2)))}
function linesIn(data,commas,number){const lines=[]
for(let start=0,end;start<=data.length;start=end+1){end=data.indexOf(10,start)
if(end<0)end=data.length
const comma=commas&&end<data.length
if(lines.length===number||(comma&&data[end - 1]!==44))throw new Damaged()
lines.push(data.subarray(start,end - comma))}
if(lines.length!==number)throw new Damaged()
return lines}
function address({collection,q,filters,sort},page,table){const pairs=['mode=page']
if(q!==null)pairs.push(`q=${quoted(q)}`)
for(const [name,value] of Object.entries(filters))pairs.push(`${name}=${value}`)
if(sort)pairs.push(`sort=${sort}`)
if(page!==1)pairs.push(`page=${page}`)
return `${table.prefix}${table.lists.find(({ name }) => name === collection).root}?${pairs.join('&')}`}
function listBytes(query,rows,count,pages,manifest,table){const list=table.lists.find(({name})=>name===query.collection)
const{page:number,order,q,filters}=query
const at=(page)=>address(query,page,table)
const head={schema_version:table.schema_version,kind:`${table.kinds[list.name]}_list`,...(manifest.as_of===null?{}:{as_of:manifest.as_of}),query:{mode:'page',page:number,sort:order,q,filters},page:{number,size:manifest.size,count:rows.length,total_items:count,total_pages:pages},links:{self:at(number),first:at(1),prev:number>1?at(number - 1):null,next:number<pages?at(number+1):null,last:at(pages),filters:table.prefix+list.root+table.files.filters,},}
const opening=JSON.stringify(head).slice(0,-1)
const parts=rows.flatMap((row,i)=>[encoder.encode(i?',\n':`${opening},"data":[\n`),row])
parts.push(encoder.encode(rows.length?'\n]}\n':`${opening},"data":[]}\n`))
const body=new Uint8Array(parts.reduce((sum,part)=>sum+part.length,0))
parts.reduce((start,part)=>(body.set(part,start),start+part.length),0)
return body}
function quoted(text){return encodeURIComponent(text).replace(/[!\x27()*]/g,(c)=>`%${c.charCodeAt(0).toString(16).toUpperCase()}`)}
function same(a,b){return a.length===b.length&&a.every((byte,i)=>byte===b[i])}
function isSealed(raw){const end=raw.length - SEAL.length
const check=crc32(raw.subarray(0,end)).toString(16).padStart(8,'0')
return end>0&&decoder.decode(raw.subarray(end))===SEAL.replace('00000000',check)}
const CRCS=new Uint32Array(1024)
for(let b=0;b<256;b++){let c=b
for(let bit=0;bit<8;bit++)c=c&1?(c>>>1)^ 0xedb88320:c>>>1
CRCS[b]=c}
for(let i=256;i<1024;i++)CRCS[i]=(CRCS[i - 256]>>>8)^ CRCS[CRCS[i - 256]&255]
function crc32(data){let [c,i]=[-1,0]
for(const end=data.length - 3;i<end;i+=4){c ^=data[i]|(data[i+1]<<8)|(data[i+2]<<16)|(data[i+3]<<24)
c=CRCS[768+(c&255)] ^ CRCS[512+((c>>>8)&255)] ^ CRCS[256+((c>>>16)&255)] ^ CRCS[c>>>24]}
for(;i<data.length;i++)c=(c>>>8)^ CRCS[(c ^ data[i])&255]
return ~c>>>0}

export default (request, context) =>
  respond(request, (path, init) =>
    context.next(new Request(beside(path, request.url), init), { sendConditionalRequest: true }), table, search)
// The rules in _redirects answer where this fails.
export const config = { pattern: ["^(?:/nordlys)?/api/projects/?$", "^(?:/nordlys)?/api/programs/?$", "^(?:/nordlys)?/api/organizations/?$", "^(?:/nordlys)?/api/calendar/events/?$", "^(?:/nordlys)?/api/dashboard/?$", "^(?:/nordlys)?/api/projects/[^/]+/?$", "^(?:/nordlys)?/api/programs/[^/]+/?$", "^(?:/nordlys)?/api/organizations/[^/]+/?$", "^(?:/nordlys)?/api/calendar/events/[^/]+/?$", "^.*(?:%|/\\.{0,2}/).*$"], excludedPattern: "^(?:/nordlys)?/api/[^%]*\\.(?:json|ics)$", onError: 'bypass' }
