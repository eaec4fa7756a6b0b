// What adapters of hosts and browsers use, for any current engine: put into `edge`, which the script has before this.
import { beside, respond, respondFolding } from './respond.mjs'
import { search } from './search.mjs'

Object.assign(edge, { beside, respond, respondFolding, search })
