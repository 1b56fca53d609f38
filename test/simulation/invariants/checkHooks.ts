import type { Hex } from 'viem'
import { toHookRunsKey } from '../chain/contracts/walletCode.ts'
import type { Block } from '../chain/createChain.ts'
import { listChainEvents } from '../oracle/listChainEvents.ts'
import { isSteadyWallet } from '../wallets.ts'
import type { World } from '../world.ts'
import { expectEqual } from './violation.ts'

/** The hook before the first trade of an order has run once, and the other one after each of its trades. */
export const checkHooks = ({ chain, orders }: World, block: Block): void => {
  const traded = new Set<Hex>()
  for (const event of listChainEvents([block])) if (event.name === 'Trade') traded.add(event.args.orderUid)
  for (const uid of traded) {
    const hook = orders.get(uid)?.hook
    if (!hook || !isSteadyWallet(hook.wallet)) continue
    const trades = listChainEvents(chain.blocks.slice(0, block.number + 1)).filter(
      (event) => event.name === 'Trade' && event.args.orderUid === uid,
    )
    const [before, after] = chain.readAt(block, () =>
      [hook.before, hook.after].map((label) => chain.store.get(toHookRunsKey(hook.wallet, label))),
    )
    expectEqual('hooks', 'the number of runs before the first trade', before, 1, uid)
    expectEqual('hooks', 'the number of runs after trades', after, trades.length, uid)
  }
}
