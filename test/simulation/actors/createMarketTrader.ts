import { encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import { type SignableOrder, signOrder } from '../../helpers/orders/signOrder.ts'
import { tokenAbi } from '../chain/contracts/tokenCode.ts'
import type { Block } from '../chain/createChain.ts'
import { honestTokens, type ModelToken, network } from '../market.ts'
import { estimateOutput } from '../oracle/estimateOutput.ts'
import { createAccount, type Participant, type PlacedOrder, type SimulatedAccount, type World } from '../world.ts'

const signing = {
  chainId: network.chainId,
  contracts: { settlement: network.settlementContract },
} as StackInfo

/** An account with funds and approvals from the first block on. */
export const fundTrader = (world: World, name: string, traded: readonly ModelToken[]): SimulatedAccount => {
  const account = createAccount(name)
  for (const token of traded) {
    world.give(token.address, account.address, 100_000n * 10n ** BigInt(token.decimals))
    const data = encodeFunctionData({
      abi: tokenAbi,
      functionName: 'approve',
      args: [network.vaultRelayer, maxUint256],
    })
    world.transact(account.address, token.address, data)
  }
  return account
}

export type PlacementTerms = SignableOrder & { scheme?: 'presign' }

/** Signs an order, places it and follows it in the world's list. */
export const submitOrder = async (
  world: World,
  account: SimulatedAccount,
  terms: PlacementTerms,
): Promise<Hex | undefined> => {
  const { scheme, ...order } = terms
  const placedAt = world.chain.head().number
  const validTo = order.validTo ?? Math.floor(world.now() / 1_000) + 60 * network.blockTimeSeconds
  const creation = await signOrder(signing, account.privateKey, { ...order, validTo })
  const body = scheme ? { ...creation, signingScheme: 'presign', signature: '0x' } : creation
  const response = await world.service.orders.fetch('http://orders/sepolia/api/v1/orders'.replace('/sepolia', ''), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Hex | { errorType: string; description: string }
  if (typeof answer !== 'string') {
    world.log('refused', { trader: account.name, status: response.status, ...answer })
    return undefined
  }
  const placed: PlacedOrder = {
    uid: answer,
    trader: account.name,
    owner: account.address,
    receiver: (order.receiver?.toLowerCase() ?? account.address) as Hex,
    sellToken: order.sellToken,
    buyToken: order.buyToken,
    sellAmount: order.sellAmount,
    buyAmount: order.buyAmount,
    kind: order.kind ?? 'sell',
    partiallyFillable: order.partiallyFillable ?? false,
    validTo,
    scheme: scheme ?? 'eip712',
    ...{ placedAt, cancelledAt: undefined },
  }
  world.orders.set(answer, placed)
  world.log('placed', { ...placed })
  return answer
}

/** Trades honest tokens: sell and buy orders, fill-or-kill and partially fillable, at the market and away from it. */
export const createMarketTrader = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const account = fundTrader(world, name, honestTokens)

  const chooseTerms = (block: Block): PlacementTerms | undefined => {
    const sell = dice.pick(honestTokens)
    const buy = dice.pick(honestTokens.filter((token) => token !== sell))
    const sellAmount =
      (BigInt(dice.between(1, 4_000)) * 10n ** BigInt(sell.decimals)) / (sell.symbol === 'WETH' ? 2_000n : 1n)
    const output = estimateOutput(world.chain, block, sell.address, buy.address, sellAmount)
    if (output === 0n) return undefined
    // from a limit 3 % below the market to one slightly above it
    const limitBps = BigInt(dice.between(9_700, 10_020))
    const kind = dice.pick(['sell', 'sell', 'buy'] as const)
    const buyAmount = (output * limitBps) / 10_000n
    return {
      sellToken: sell.address,
      buyToken: buy.address,
      sellAmount,
      buyAmount,
      kind,
      partiallyFillable: dice.chance(0.25),
      validTo: Math.floor(world.now() / 1_000) + dice.between(6, 60) * network.blockTimeSeconds,
      ...(dice.chance(0.1) ? { signingScheme: 'ethsign' as const } : {}),
      ...(dice.chance(0.1) ? { scheme: 'presign' as const } : {}),
    }
  }

  return {
    name,
    act: async (block) => {
      if (block.number < 2 || !dice.chance(0.12)) return
      const terms = chooseTerms(block)
      if (!terms) return
      const uid = await submitOrder(world, account, terms)
      if (!uid || !terms.scheme) return
      const data = encodeFunctionData({ abi: settlementAbi, functionName: 'setPreSignature', args: [uid, true] })
      world.transact(account.address, network.settlementContract, data)
    },
  }
}
