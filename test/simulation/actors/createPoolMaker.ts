import { encodeFunctionData } from 'viem'
import { poolAbi } from '../chain/contracts/poolCode.ts'
import { toBalanceKey } from '../chain/contracts/tokenCode.ts'
import { toWeiKey } from '../chain/machine.ts'
import { modelTokens, network, thinPool } from '../market.ts'
import { estimateOutput } from '../oracle/estimateOutput.ts'
import { createAccount, type Participant, type World } from '../world.ts'
import { fundTrader } from './createMarketTrader.ts'
import { submitOrder } from './requests/submitOrder.ts'

/** What a stranger's pool gives for a token: eight times the market, an eighth of it, or both in turns. */
const forms = ['generous', 'stingy', 'swinging'] as const
/** factor of the price, and the pool's dollars: 0.3 ether */
const [factor, dollars] = [8n, 900n * 10n ** 6n]
/** COW atoms that the dollars are worth */
const fair = 3_000n * 10n ** 18n
/** blocks between two fillings of the pool, and between two orders of its victim */
const period = 2

/** Bends the price of a token by a thin pool, and places orders of an honest owner at the market, which must fill. */
export const createPoolMaker = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const form = dice.pick(forms)
  const { WETH, COW, USDC, DAI } = modelTokens
  const { address: maker } = createAccount(name)
  const victim = fundTrader(world, `${name} victim`, [WETH, COW])
  const { store } = world.chain
  store.set(toWeiKey(maker), 10n ** 21n)

  const fill = (isGenerous: boolean): void => {
    store.set(toBalanceKey(USDC.address, thinPool), dollars)
    store.set(toBalanceKey(COW.address, thinPool), isGenerous ? fair / factor : fair * factor)
    world.transact(maker, thinPool, encodeFunctionData({ abi: poolAbi, functionName: 'sync' }))
  }
  return {
    name,
    act: async (block) => {
      if (block.number % period > 0) return
      fill(form === 'swinging' ? Math.floor(block.number / 6) % 2 === 0 : form === 'generous')
      const [sell, buy] = dice.pick([
        [COW, WETH],
        [COW, DAI],
        [WETH, COW],
      ] as const)
      const sellAmount = BigInt(dice.between(500, 5_000)) * (sell === COW ? 10n ** 18n : 10n ** 15n)
      const output = estimateOutput(world.chain, block, sell.address, buy.address, sellAmount)
      const validTo = Math.floor(world.now() / 1_000) + 20 * network.blockTimeSeconds
      await submitOrder(world, victim, {
        ...{ sellToken: sell.address, buyToken: buy.address, sellAmount, validTo },
        buyAmount: (output * 95n) / 100n,
      })
    },
  }
}
