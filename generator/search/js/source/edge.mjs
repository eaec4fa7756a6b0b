// The exports for the adapters of hosts: they are put into `edge`, which the script defines before this bundle.
import { add } from './added.mjs'
import { beside, respond } from './host.mjs'
import { search } from './search.mjs'
import { warm } from './warm.mjs'

// Before the script of each feature the generator sets `edge.feature` to the feature's name.
Object.assign(edge, { add: (feature) => add({ name: edge.feature, ...feature }), beside, respond, search, warm })
