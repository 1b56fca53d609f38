import { type Hex, keccak256, parseTransaction } from 'viem'
import type { SolverMarket } from './solverMarket.ts'

/**
 * A private endpoint for transactions in front of a chain that mines on request: holds them until their deadline,
 * includes none that reverts, and shows none to the public mempool before its block.
 */
export const createPrivateRelay = ({ chain, solver }: Pick<SolverMarket, 'chain' | 'solver'>) => {
  const held = new Map<Hex, number>()

  const isReverting = async (raw: Hex): Promise<boolean> => {
    const { to, data } = parseTransaction(raw)
    return chain.call({ account: solver.address, to, data }).then(
      () => false,
      () => true,
    )
  }

  const mineOne = async (): Promise<void> => {
    const next = Number(await chain.getBlockNumber()) + 1
    const included: Hex[] = []
    for (const [raw, deadlineBlock] of held) {
      if (deadlineBlock >= next && !(await isReverting(raw))) {
        // a used nonce, or a replacement that pays too little
        const isTaken = await chain.sendRawTransaction({ serializedTransaction: raw }).catch(() => undefined)
        if (isTaken) included.push(raw)
      }
    }
    await chain.mine({ blocks: 1 })
    for (const raw of included) await chain.dropTransaction({ hash: keccak256(raw) }).catch(() => undefined)
    // for good: a reorganisation does not bring them back
    for (const [raw, deadlineBlock] of held) if (deadlineBlock <= next) held.delete(raw)
  }

  return {
    submit: (raw: Hex, { deadlineBlock = Number.POSITIVE_INFINITY }: { deadlineBlock: number | undefined }) => {
      held.set(raw, deadlineBlock)
      return Promise.resolve(keccak256(raw))
    },
    /** Mines blocks with the transactions that it holds. */
    mine: async (blocks: number): Promise<void> => {
      for (let i = 0; i < blocks; i += 1) await mineOne()
    },
    /** Loses one of the transactions. */
    drop: (choose: (count: number) => number): void => {
      const raw = [...held.keys()][choose(held.size)]
      if (raw) held.delete(raw)
    },
  }
}
