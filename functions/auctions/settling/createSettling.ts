import type { Address, Hex } from 'viem'
import { recordBlame } from '#schema/queries/settlements/settlementFailures.ts'
import { forgetOldest } from '#shared/forgetOldest.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { Pauses } from '#shared/pauses/pauses.ts'
import type { Auction } from '../auction.ts'
import { findAllowedSolvers } from '../chain/findAllowedSolvers.ts'
import type { Attempt } from '../competition/recordAuction.ts'
import type { Rules } from '../competition/rules.ts'
import { runStep } from '../runStep.ts'
import { computeRules } from './computeRules.ts'
import { computeWaiting } from './computeWaiting.ts'
import { type FailedAttempt, findBlame } from './findBlame.ts'
import { findParticipation, noParticipation, type Participation } from './findParticipation.ts'
import { settleWinner } from './settleWinner.ts'
import type { SettlingDeps } from './settlingDeps.ts'

/** Calldata that is remembered for attributions: several auctions of winners, at most some megabytes. */
const maxCalldatas = 100

/**
 * Settling: what becomes of wins, and what that means for solvers.
 *
 * Each winner is requested to settle (`settleWinner`). The chain alone decides the outcome of an attempt: indexing
 * closes it with the settlement, or with the block after its deadline. A failure that the driver reports closes it
 * earlier, because the order can be auctioned again.
 *
 * A failure is attributed (`findBlame`): each order of the settlement is simulated alone where it failed. An order that
 * fails alone is to blame and waits. The solver is to blame for what it alone controls. Other causes blame nothing,
 * and separate the orders: their next settlements have no companions (`computeCertainty`).
 *
 * Faults decide how a solver participates (`computeSuspension`): paying less than promised suspends it at once. A
 * suspension excludes it openly, distrust limits the score that it may have unsettled, and neither changes the rank of
 * a solution. `findRules` turns these facts into the rules of one auction (`computeRules`).
 */
export const createSettling = (deps: SettlingDeps): Settling => {
  let participation = noParticipation
  /** orders with a failed settlement, and the newest block when its failure became known */
  const failed = new Map<Hex, number>()
  let newest = 0
  let waiting: ReadonlyMap<Hex, number> = new Map()
  /** accounts that the authenticator allowed at its last read */
  let allowed: ReadonlySet<Address> | undefined
  const authenticator = { authenticator: undefined }
  const findAllowed = async (accounts: readonly Address[]): Promise<ReadonlySet<Address>> => {
    try {
      allowed = await findAllowedSolvers(deps, authenticator, accounts)
    } catch (error) {
      if (!allowed) throw error
      deps.log({ message: 'allowed solvers unknown', network: deps.network.name, cause: describeError(error) })
    }
    return allowed
  }
  /** calldata of running attempts by `toKey`, oldest first */
  const calldatas = new Map<string, Hex>()
  const find = (attempt: FailedAttempt) => findBlame(deps, attempt)
  /** @returns whether any failure was attributed */
  const attribute = async (attempts: readonly Omit<FailedAttempt, 'calldata'>[]): Promise<boolean> => {
    const done = await runStep(deps, 'attribute', async () => {
      for (const attempt of attempts) {
        const blame = await find({ ...attempt, calldata: calldatas.get(toKey(attempt)) })
        await recordBlame(deps.database, { ...attempt, chainId: deps.network.chainId }, blame)
      }
      return true
    })
    return done === true && attempts.length > 0
  }
  return {
    judge: async () => {
      let found = await findParticipation(deps, participation)
      if (await attribute(found.unattributed)) found = await findParticipation(deps, found.participation)
      participation = found.participation
      return participation
    },
    findRules: async (auction, judged, pauses) => {
      const { block } = auction
      waiting = computeWaiting(waiting, { orders: auction.solvable, block })
      const accounts = deps.solvers.map(({ address }) => address)
      // standings depend on the allowed solvers
      const known = judged.suspensions.size > 0 ? await findAllowed(accounts) : undefined
      const able = accounts.filter((account) => (known?.has(account) ?? true) && !pauses.has(`solver:${account}`))
      return {
        ...computeRules({
          participation: judged,
          able,
          waiting,
          block,
          deadlineBlocks: deps.submissionDeadlineBlocks,
          pauses,
        }),
        findAllowed: async () => known ?? findAllowed(accounts),
      }
    },
    settle: (attempts) => {
      for (const attempt of attempts) {
        if (attempt.calldata) calldatas.set(toKey(attempt), attempt.calldata)
        forgetOldest(calldatas, maxCalldatas)
        const onFailure = () => {
          for (const uid of attempt.orders) failed.set(uid, newest)
        }
        deps.background(runStep(deps, 'settle', () => settleWinner({ ...deps, findBlame: find }, attempt, onFailure)))
      }
    },
    findWaiting: (block) => {
      newest = block
      for (const [uid, number] of failed) if (number !== block) failed.delete(uid)
      return new Set(failed.keys())
    },
  }
}

const toKey = ({ auctionId, solutionUid }: Pick<FailedAttempt, 'auctionId' | 'solutionUid'>): string =>
  `${auctionId}:${solutionUid}`

export type Settling = {
  /** Judges the newest attempts of all solvers; suspends those that failed too often. */
  judge: () => Promise<Participation>
  /** Rules of an auction for its solvers. */
  findRules: (auction: Pick<Auction, 'solvable' | 'block'>, judged: Participation, pauses: Pauses) => Promise<Rules>
  /** Requests the settlements of an auction's winners in the background. */
  settle: (attempts: readonly Attempt[]) => void
  /**
   * Orders whose settlement failed while this block was the newest one: they wait for the next block. By then their
   * failure is attributed, or they wait no longer for a node that does not respond.
   */
  findWaiting: (block: number) => ReadonlySet<Hex>
}
