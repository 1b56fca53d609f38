import { findBlockHash } from './checkHead.ts'
import type { HolderIndexDeps } from './holderIndexDeps.ts'
import type { Checkpoint } from './holderStore.ts'

/** Undoes the part of the index whose blocks a reorganisation removed. */
export const rewindToCommon = async ({ chain, store }: HolderIndexDeps, head: Checkpoint): Promise<void> => {
  const checkpoints = store.findCheckpoints()
  for (const [i, { number, hash }] of checkpoints.entries()) {
    if (number > head.number) continue
    const block = number === head.number ? head : await findBlockHash(chain, number)
    if (block.hash !== hash) continue
    if (i > 0) store.rewind(number)
    return
  }
  if (checkpoints.length > 0) store.clear()
}
