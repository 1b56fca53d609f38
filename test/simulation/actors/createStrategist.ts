import { encodeFunctionData, type Hex, keccak256, toHex, zeroHash } from 'viem'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import { hashParams } from '#shared/strategies/hashParams.ts'
import { publicContracts } from '#shared/strategies/publicContracts.ts'
import { encodeTwap } from '#shared/strategies/twap.ts'
import { isAuthorised } from '../chain/contracts/strategies/composableCowCode.ts'
import { tokenAbi } from '../chain/contracts/tokenCode.ts'
import type { Block } from '../chain/createChain.ts'
import { honestTokens, network } from '../market.ts'
import { type ChainPart, findPart } from '../oracle/findPart.ts'
import { createAccount, type Participant, type Strategy, type World } from '../world.ts'
import { chooseMarketTerms } from './chooseMarketTerms.ts'
import { fundTrader } from './createMarketTrader.ts'

/** conditional orders of one owner that may have parts at the same time */
const mostLive = 3

/**
 * Sells by TWAPs of two to five parts near the market, some of them valid for a part of their period only, and removes a
 * third of them half-way. The funds of a poor one leave for some blocks and return.
 */
export const createStrategist = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const { chain } = world
  const account = fundTrader(world, name, honestTokens)
  const friend = createAccount(`friend of ${name}`)
  const own: { strategy: Strategy; endsAt: number; removesAt: number | undefined }[] = []
  let absent: { token: Hex; amount: bigint; until: number } | undefined

  const call = (functionName: 'create' | 'remove', args: readonly unknown[]): void =>
    world.transact(
      account.address,
      network.composableCow,
      encodeFunctionData({ abi: composableCowAbi, functionName, args } as never),
    )
  const create = (block: Block): void => {
    const terms = chooseMarketTerms(world, dice, block)
    if (!terms || terms.buyAmount === 0n) return
    const seconds = network.blockTimeSeconds
    const t = dice.between(5, 10) * seconds + dice.between(0, seconds - 1)
    const n = dice.between(2, 5)
    const t0 = block.timestamp + dice.between(-2, 4) * seconds
    const staticInput = encodeTwap({
      ...{ sellToken: terms.sellToken, buyToken: terms.buyToken, receiver: account.address },
      ...{ partSellAmount: terms.sellAmount, minPartLimit: terms.buyAmount, appData: zeroHash },
      ...{ t0: BigInt(t0), n: BigInt(n), t: BigInt(t), span: dice.chance(0.3) ? BigInt(t - 2 * seconds) : 0n },
    })
    const params = { handler: publicContracts.twap, salt: keccak256(toHex(`${name} ${own.length}`)), staticInput }
    const strategy = { owner: account.address, hash: hashParams(params), params }
    const parts = dice.between(1, n)
    const removesAt = dice.chance(0.35)
      ? block.number + Math.ceil((parts * t) / seconds) - dice.between(0, 4)
      : undefined
    own.push({ strategy, endsAt: t0 + n * t, removesAt })
    world.strategies.push(strategy)
    world.log('creates', { trader: name, hash: strategy.hash, t0, n, t, removesAt })
    call('create', [params, true])
  }
  /** Follows a part as an order from the block on in which the registry returns it. */
  const follow = ({ hash }: Strategy, block: Block, { uid, order }: ChainPart): void => {
    if (world.orders.has(uid)) return
    world.orders.set(uid, {
      ...{ uid, trader: name, owner: account.address, receiver: account.address, conditional: hash },
      ...{ sellToken: lower(order.sellToken), buyToken: lower(order.buyToken) },
      ...{ sellAmount: order.sellAmount, buyAmount: order.buyAmount, validTo: order.validTo },
      ...{ kind: 'sell', partiallyFillable: false, scheme: 'eip1271', hook: undefined, partnerFees: [], validFrom: 0 },
      ...{ quoteId: undefined, quoted: undefined, isTrap: false, placedAt: block.number, cancelledAt: undefined },
    })
    world.log('part', { uid, hash, block: block.number, validTo: order.validTo })
  }
  const move = (from: Hex, to: Hex, token: Hex, amount: bigint): void =>
    world.transact(from, token, encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amount] }))
  const moveFunds = (block: Block): void => {
    if (absent && absent.until <= block.number) {
      move(friend.address, account.address, absent.token, absent.amount)
      absent = undefined
    } else if (!absent && dice.chance(0.1)) {
      const { address: token } = dice.pick(honestTokens)
      const args = { abi: tokenAbi, functionName: 'balanceOf', args: [account.address] } as const
      const message = { from: account.address, to: token, data: encodeFunctionData(args), gas: 100_000n }
      absent = {
        token,
        amount: BigInt(chain.callAt(block, message).returnData),
        until: block.number + dice.between(2, 8),
      }
      move(account.address, friend.address, token, absent.amount)
    }
  }
  if (name === 'poor strategist') for (const { address } of honestTokens) world.give(address, friend.address, 0n)

  return {
    name,
    act: (block) => {
      if (block.number < 2) return
      const live = own.filter(({ endsAt }) => endsAt >= block.timestamp)
      for (const { strategy } of live) {
        const part = findPart(world, strategy, block)
        if (part) follow(strategy, block, part)
      }
      const due = live.find(({ strategy, removesAt }) => removesAt === block.number && isAuthorised(chain, strategy))
      if (due) {
        world.log('removes', { trader: name, hash: due.strategy.hash })
        call('remove', [due.strategy.hash])
      }
      if (name === 'poor strategist') moveFunds(block)
      if (live.length < mostLive && dice.chance(0.15)) create(block)
    },
  }
}

const lower = (address: Hex): Hex => address.toLowerCase() as Hex
