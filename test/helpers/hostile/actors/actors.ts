import type { CreateActor } from '../arena.ts'
import { absurdOrders } from './absurdOrders.ts'
import { explodingTokens } from './explodingTokens.ts'
import { junkTokens } from './junkTokens.ts'
import { spammer } from './spammer.ts'
import { squatter } from './squatter.ts'
import { turningWallets } from './turningWallets.ts'

/** Hostile users. Nodes and solvers that fail, reorganisations and moves of prices are part of the simulation. */
export const actors: readonly CreateActor[] = [
  junkTokens,
  explodingTokens,
  turningWallets,
  squatter,
  absurdOrders,
  spammer,
]
