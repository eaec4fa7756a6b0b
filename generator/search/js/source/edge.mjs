// What adapters of hosts use, for any current engine: put into `edge`, which the script has before this.
import { beside, respond } from './host.mjs'
import { search } from './search.mjs'

Object.assign(edge, { beside, respond, search })
