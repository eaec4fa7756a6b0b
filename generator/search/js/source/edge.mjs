// The exports for the adapters of hosts: they are put into `edge`, which the script defines before this bundle.
import { add } from './added.mjs'
import { beside, respond } from './host.mjs'
import { search } from './search.mjs'
import { warm } from './warm.mjs'

Object.assign(edge, { add, beside, respond, search, warm })
