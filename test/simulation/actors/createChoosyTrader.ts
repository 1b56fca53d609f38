import { network } from '../market.ts'
import { choosyWallets } from '../wallets.ts'
import type { Participant, World } from '../world.ts'
import { chooseMarketTerms } from './chooseMarketTerms.ts'
import { fundWallet } from './createWalletTrader.ts'
import { submitOrder } from './requests/submitOrder.ts'

/**
 * Places generous orders of fresh wallets that sign in simulations, and in transactions for one solver alone: they look
 * at the block's coinbase, the gas price or the sender.
 */
export const createChoosyTrader = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const wallets = choosyWallets.map((wallet) => ({ wallet, rank: dice.between(1, 1_000) }))
  const waiting = wallets.sort((a, b) => a.rank - b.rank).map(({ wallet }) => wallet)
  for (const wallet of waiting) fundWallet(world, wallet)

  return {
    name,
    act: async (block) => {
      if (block.number < 2 || !dice.chance(0.15)) return
      const terms = chooseMarketTerms(world, dice, block)
      const wallet = terms && waiting.shift()
      if (!wallet) return
      await submitOrder(world, wallet.owner, {
        ...{ ...terms, kind: 'sell', partiallyFillable: false, isTrap: true },
        buyAmount: (terms.buyAmount * 9n) / 10n,
        validTo: Math.floor(world.now() / 1_000) + 60 * network.blockTimeSeconds,
        ...{ scheme: 'eip1271', owner: wallet.address },
      })
    },
  }
}
