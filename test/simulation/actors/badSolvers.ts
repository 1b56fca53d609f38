import type { Address } from 'viem'
import { network } from '../market.ts'
import type { PlayedSolver } from '../service.ts'
import { createAccount, type World } from '../world.ts'
import { createPlayedSolver, type SolverManner } from './createPlayedSolver.ts'
import { createUnderpayingSolver } from './createUnderpayingSolver.ts'

/** A solver beside the honest ones, named by how it misbehaves. */
type BadSolver = { name: SolverManner | 'underpaying'; address: Address }

type PlayTerms = Pick<World, 'chain' | 'dice' | 'sleep' | 'transact'>

const manners: readonly SolverManner[] = ['silent', 'slow', 'lying', 'breaking', 'malformed', 'reverting']
/** a call of the settlement contract without its arguments */
const revertingCall = '0x13d79a0b'

/** A third of the seeds have honest solvers only. The last two have dice of their own, which leave the others as they are. */
export const chooseBadSolvers = (dice: World['dice']): BadSolver[] => {
  const own = dice('solvers')
  const chosen = own.chance(1 / 3) ? [] : manners.filter(() => own.chance(0.4))
  const later = (['underpaying', 'pretending'] as const).filter((name) => chosen.length > 0 && dice(name).chance(0.4))
  return [...chosen, ...later].map((name) => ({
    name,
    address: createAccount(`solver ${name}`).address,
  }))
}

export const playBadSolver = ({ name, address }: BadSolver, terms: PlayTerms): PlayedSolver => {
  const { chain, sleep, transact } = terms
  const dice = terms.dice(name)
  const send = transact.bind(undefined, address, network.settlementContract)
  return name === 'underpaying'
    ? createUnderpayingSolver({ ...{ name, address, dice, sleep, send }, store: chain.store })
    : createPlayedSolver({
        ...{ name, address, dice, sleep, manner: name, store: chain.store },
        sendReverting: () => send(revertingCall),
      })
}
