import type { Block } from '../chain/createChain.ts'
import { honestTokens, network } from '../market.ts'
import { estimateOutput } from '../oracle/estimateOutput.ts'
import type { World } from '../world.ts'
import type { PlacementTerms } from './requests/submitOrder.ts'

/** An order for honest tokens, from a limit 3 % below the market to one slightly above it; undefined without a market. */
export const chooseMarketTerms = (
  world: World,
  dice: ReturnType<World['dice']>,
  block: Block,
): PlacementTerms | undefined => {
  const sell = dice.pick(honestTokens)
  const buy = dice.pick(honestTokens.filter((token) => token !== sell))
  const sellAmount =
    (BigInt(dice.between(1, 4_000)) * 10n ** BigInt(sell.decimals)) / (sell.symbol === 'WETH' ? 2_000n : 1n)
  const output = estimateOutput(world.chain, block, sell.address, buy.address, sellAmount)
  if (output === 0n) return undefined
  const limitBps = BigInt(dice.between(9_700, 10_020))
  const kind = dice.pick(['sell', 'sell', 'buy'] as const)
  return {
    sellToken: sell.address,
    buyToken: buy.address,
    sellAmount,
    buyAmount: (output * limitBps) / 10_000n,
    kind,
    partiallyFillable: dice.chance(0.25),
    validTo: Math.floor(world.now() / 1_000) + dice.between(6, 60) * network.blockTimeSeconds,
  }
}
