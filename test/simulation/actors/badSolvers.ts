import type { Address } from 'viem'
import { network } from '../market.ts'
import type { PlayedSolver } from '../service.ts'
import { createAccount, type World } from '../world.ts'
import { createPayingSolver, type PayingSolverTerms, type SettlingManner } from './createPayingSolver.ts'
import { createPlayedSolver, type SolverManner } from './createPlayedSolver.ts'
import { poolMover } from './createPoolMover.ts'

/**
 * Solvers that pay from their own tokens. `lying` reveals that it settles at the limit, `underpaying` does so without
 * revealing it, `alternating` repeats a random script, `stingy` promises one atom above the limit and pays it, and
 * `patient` does so for each order.
 */
type PayingName = 'lying' | 'underpaying' | 'alternating' | 'stingy' | 'patient'

/** A solver beside the honest ones, named by how it misbehaves. */
type BadSolver = { name: SolverManner | PayingName; address: Address }

type PlayTerms = Pick<World, 'chain' | 'dice' | 'sleep' | 'transact'>

const manners: readonly BadSolver['name'][] = ['silent', 'slow', 'lying', 'breaking', 'malformed', 'reverting']
/** Those with dice of their own, which leave the choice of the others as it is. */
const later: readonly BadSolver['name'][] = ['underpaying', 'pretending', 'alternating', 'stalling']
/** a call of the settlement contract without its arguments */
const revertingCall = '0x13d79a0b'
const scripted: readonly SettlingManner[] = ['kept', 'limit', 'reverted', 'nothing']
const scriptLength = 8

/** A third of the seeds have no solvers that break promises. */
export const chooseBadSolvers = (dice: World['dice']): BadSolver[] => {
  const own = dice('solvers')
  const chosen = own.chance(1 / 3) ? [] : manners.filter(() => own.chance(0.4))
  return [
    ...chosen,
    ...later.filter((name) => chosen.length > 0 && dice(name).chance(0.4)),
    ...(dice('stingy').chance(0.25) ? (['stingy'] as const) : []),
  ].map(toSolver)
}

/** Solvers that named actors work for: a pool is moved for one that takes the orders which the others yield. */
export const chooseProfiteers = (actors: readonly string[]): BadSolver[] =>
  actors.includes(poolMover) ? [toSolver('patient')] : []

const toSolver = (name: BadSolver['name']): BadSolver => ({ name, address: createAccount(`solver ${name}`).address })

/** Whether a solver settles each win as promised. */
export const isReliable = ({ name }: BadSolver): boolean => name === 'stingy' || name === 'patient'

/** Whether the revealed calldata of a solver keeps promises that its transactions break. */
export const isBreaking = ({ name }: BadSolver): boolean => name === 'underpaying' || name === 'alternating'

export const playBadSolver = ({ name, address }: BadSolver, terms: PlayTerms): PlayedSolver => {
  const { chain, sleep, transact } = terms
  const dice = terms.dice(name)
  const send = transact.bind(undefined, address, network.settlementContract)
  const common = { name, address, dice, sleep, store: chain.store }
  const settling = buildSettling(name, dice)
  return settling
    ? createPayingSolver({ ...common, ...settling, send })
    : createPlayedSolver({
        ...common,
        manner: name as SolverManner,
        sendReverting: () => send(revertingCall),
      })
}

/** undefined for a solver that pays nothing */
const buildSettling = (
  name: BadSolver['name'],
  dice: ReturnType<World['dice']>,
): Pick<PayingSolverTerms, 'share' | 'promise' | 'reveals' | 'nextManner'> | undefined => {
  const promise = () => BigInt(dice.between(5, 40))
  const share = 0.3
  if (name === 'lying') return { share, promise, reveals: 'limit', nextManner: () => 'limit' }
  if (name === 'underpaying') return { share, promise, reveals: 'promise', nextManner: () => 'limit' }
  if (name === 'stingy' || name === 'patient')
    return {
      share: name === 'patient' ? 1 : share,
      ...{ promise: () => undefined, reveals: 'promise', nextManner: () => 'kept' },
    }
  if (name !== 'alternating') return undefined
  const script = Array.from({ length: dice.between(2, scriptLength) }, () => dice.pick(scripted))
  let wins = 0
  return {
    ...{ share, promise, reveals: 'promise' },
    nextManner: () => {
      wins += 1
      return script[wins % script.length] ?? 'kept'
    },
  }
}
