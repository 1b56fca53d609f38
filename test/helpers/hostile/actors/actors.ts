import type { CreateActor } from '../arena.ts'
import { absurdOrders } from './absurdOrders.ts'
import { explodingTokens } from './explodingTokens.ts'
import { failingNode } from './failingNode.ts'
import { junkTokens } from './junkTokens.ts'
import { lyingSolver } from './lyingSolver.ts'
import { reorganiser } from './reorganiser.ts'
import { silentSolver } from './silentSolver.ts'
import { spammer } from './spammer.ts'
import { squatter } from './squatter.ts'
import { strangers } from './strangers.ts'
import { turningWallets } from './turningWallets.ts'

/** All hostile actors, and the strangers who move prices, by the names that `MARKET_ACTORS` takes. */
export const actors: Record<string, CreateActor> = {
  strangers,
  junkTokens,
  explodingTokens,
  turningWallets,
  squatter,
  lyingSolver,
  silentSolver,
  reorganiser,
  failingNode,
  absurdOrders,
  spammer,
}
