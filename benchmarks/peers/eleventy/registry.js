// Reads the content folder once: records with their summary rows, and the pages of every list.
import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { CORE_SCHEMA, load } from "js-yaml";

const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const slugify = (text) =>
  text.normalize("NFKD").replace(/[^\x00-\x7f]/g, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function read(content, kind) {
  const records = new Map();
  for (const entry of readdirSync(join(content, kind), { recursive: true })) {
    if (entry.endsWith(".yaml")) {
      const data = load(readFileSync(join(content, kind, entry), "utf8"), { schema: CORE_SCHEMA });
      records.set(basename(entry, ".yaml"), data);
    }
  }
  return records;
}

function location({ country, region = null, city = null }) {
  return { country, region, city, slug: [country, region, city].filter(Boolean).map(slugify).join("-") };
}

function row(slug, project, families) {
  return {
    slug,
    name: project.name,
    summary: project.summary ?? null,
    href: `/api/projects/slug/${slug}.json`,
    status: project.status ?? "active",
    year: project.year ?? null,
    tags: Object.fromEntries(families.map((family) => [family, project.tags?.[family] ?? []])),
    programs: project.programs ?? [],
    organizations: project.organizations ?? [],
    locations: (project.locations ?? []).map(location),
    remote: project.remote ?? false,
    website: project.website ?? null,
  };
}

function pages(folder, filters, rows, size) {
  const total = Math.max(1, Math.ceil(rows.length / size));
  const url = (number) => (number >= 1 && number <= total ? `/${folder}/page/${number}.json` : null);
  return Array.from({ length: total }, (_, index) => {
    const data = rows.slice(index * size, (index + 1) * size);
    const number = index + 1;
    const head = {
      schema_version: "1.0",
      kind: "project_list",
      query: { mode: "page", page: number, sort: "name", q: null, filters },
      page: { number, size, count: data.length, total_items: rows.length, total_pages: total },
      links: {
        self: url(number), first: url(1), prev: url(number - 1), next: url(number + 1), last: url(total),
        filters: "/api/projects/filters.json",
      },
    };
    return { path: url(number), head, data };
  });
}

export default function () {
  const content = process.env.CONTENT;
  const settings = load(readFileSync(join(content, "registry.yaml"), "utf8"), { schema: CORE_SCHEMA });
  const size = settings.page_size ?? 50;
  const families = Object.keys(settings.tag_families ?? {});
  const programs = read(content, "programs");
  const organizations = read(content, "organizations");
  const reference = (kind, records) => (slug) => ({
    slug, name: records.get(slug).name, href: `/api/${kind}/slug/${slug}.json`,
  });

  const records = [...read(content, "projects")].map(([slug, project]) => ({ slug, project, key: fold(project.name) }));
  records.sort((a, b) => compare(a.key, b.key) || compare(a.slug, b.slug));

  const lists = new Map();
  for (const [family, { tags }] of Object.entries(settings.tag_families ?? {})) {
    for (const tag of Object.keys(tags ?? {})) {
      lists.set(`${family}/${tag}`, []);
    }
  }
  const rows = [];
  for (const record of records) {
    const { slug, project } = record;
    const summary = row(slug, project, families);
    record.href = summary.href;
    record.data = {
      ...summary,
      description: project.description ?? null,
      links: project.links ?? {},
      sources: project.sources ?? [],
      aliases: project.aliases ?? [],
      team_size: project.team_size ?? null,
      founders: project.founders ?? [],
      former_names: project.former_names ?? [],
      programs: summary.programs.map(reference("programs", programs)),
      organizations: summary.organizations.map(reference("organizations", organizations)),
    };
    const json = JSON.stringify(summary); // once, for every page it stands on
    rows.push(json);
    for (const [family, tags] of Object.entries(summary.tags)) {
      for (const tag of tags) {
        const name = `${family}/${tag}`;
        if (!lists.has(name)) {
          lists.set(name, []);
        }
        lists.get(name).push(json);
      }
    }
  }
  const listPages = pages("api/projects", {}, rows, size);
  for (const [name, members] of lists) {
    const [family, tag] = name.split("/");
    listPages.push(...pages(`api/projects/by/tag_${family}/${tag}`, { [`tag_${family}`]: tag }, members, size));
  }
  return { records, pages: listPages };
}
