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
    let end = await chain.getTransactionCount({ address: solver.address })
    const byNonce = [...held.keys()].map((raw) => ({ raw, nonce: parseTransaction(raw).nonce ?? 0 }))
    for (const { raw, nonce } of byNonce.sort((a, b) => a.nonce - b.nonce)) {
      if (nonce > end || (held.get(raw) ?? 0) < next || (await isReverting(raw))) continue
      // a used nonce, or a replacement that pays too little
      const isTaken = await chain.sendRawTransaction({ serializedTransaction: raw }).catch(() => undefined)
      if (isTaken) end = nonce + 1
    }
    await chain.mine({ blocks: 1 })
    await chain.request({ method: 'anvil_removePoolTransactions', params: [solver.address] } as never)
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
