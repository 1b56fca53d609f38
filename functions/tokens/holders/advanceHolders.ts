import { findHolderHead } from './checkHead.ts'
import type { HolderIndexDeps } from './holderIndexDeps.ts'
import { readHolderBalances } from './readHolderBalances.ts'
import { readNames } from './readNames.ts'
import { rewindToCommon } from './rewindToCommon.ts'

const balancesPerCall = 200

/**
 * Updates the holder index of a token to the head of the chain. Addresses in topics of any event name accounts whose
 * balance may have changed; `balanceOf` reads their balances. Blocks that a reorganisation removed are rewound first.
 * Results are stored only after the head still has the same hash, so that no two branches are mixed.
 * @param until Unix milliseconds: no further step starts after this time
 * @returns false when the index is not at the head yet
 * @throws Error when the node fails or the head moves meanwhile; steps stored before remain valid
 */
export const advanceHolders = async (deps: HolderIndexDeps, until: number): Promise<boolean> => {
  const { store, shown, now } = deps
  const head = await findHolderHead(deps.chain)
  await rewindToCommon(deps, head)
  for (let indexed = findIndexed(deps); indexed < head.number; indexed = findIndexed(deps)) {
    if (now() >= until) return false
    await readNames(deps, indexed, head)
  }
  for (;;) {
    const due = store.findDue(head.number, shown, balancesPerCall)
    if (due.length === 0) break
    if (now() >= until) return false
    await readHolderBalances(deps, due, head)
  }
  store.prune()
  return true
}

const findIndexed = ({ store, startBlock }: HolderIndexDeps): number => store.findIndexed() ?? startBlock - 1
