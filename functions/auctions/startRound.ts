import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import type { ClockDeps } from './clockDeps.ts'
import type { ClockState } from './clockState.ts'
import { logWork } from './logWork.ts'
import { auctionIntervalMs, runAuction } from './runAuction.ts'
import { runStep } from './runStep.ts'

/** Whether an auction is due: on a new block, after the interval, or when woken. */
export const isRoundDue = ({ now }: ClockDeps, { woken, lastRound }: ClockState, head: IndexedBlock): boolean =>
  woken || lastRound?.blockHash !== head.hash || Math.abs(now() - lastRound.at) >= auctionIntervalMs

/** Best effort: the notifier also polls every minute. */
export const notify = (deps: ClockDeps): void => {
  const { notify: ask } = deps
  if (ask) deps.background(runStep(deps, 'notify', ask))
}

/** Starts an auction in the background. */
export const startRound = (deps: ClockDeps, state: ClockState, head: IndexedBlock): void => {
  state.woken = false
  state.lastRound = { blockHash: head.hash, at: deps.now() }
  const holdAuction = () => runStep(deps, 'auction', () => runAuction(deps, state, head))
  state.round = logWork(deps, 'auction', holdAuction, (held) => held).finally(() => {
    state.round = undefined
    notify(deps)
  })
  deps.background(state.round)
}
