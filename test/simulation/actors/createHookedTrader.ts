import { type Address, encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { toHookLabel, walletAbi } from '../chain/contracts/walletCode.ts'
import type { Block } from '../chain/createChain.ts'
import { toWeiKey } from '../chain/machine.ts'
import { honestTokens, network } from '../market.ts'
import { modelWallets } from '../wallets.ts'
import type { OrderHook, Participant, World } from '../world.ts'
import { chooseMarketTerms } from './chooseMarketTerms.ts'
import { approveRelayer } from './createMarketTrader.ts'
import { type PlacementTerms, submitOrder } from './requests/submitOrder.ts'

/** gas units of one hook */
const gasLimit = '150000'

/**
 * Trades with hooks: its funds lie in its wallet. Before the first trade of an order a hook releases them to the account, or
 * lets the relayer take them from the wallet, which then owns the order. After each trade another one counts it. Hostile hooks
 * revert or use all of their gas in turns.
 */
export const createHookedTrader = (world: World, name: 'hooked trader' | 'hostile hooks'): Participant => {
  const dice = world.dice(name)
  const wallet = modelWallets[name]
  const account = wallet.owner
  let placed = 0
  world.chain.store.set(toWeiKey(account.address), 10n ** 21n)
  approveRelayer(world, account, honestTokens)
  for (const { address, decimals } of honestTokens)
    world.give(address, wallet.address, 100_000n * 10n ** BigInt(decimals))

  const call = (
    functionName: 'approveByHook' | 'releaseByHook',
    token: Address,
    to: Address,
    amount: bigint,
    label: Hex,
  ) => encodeFunctionData({ abi: walletAbi, functionName, args: [token, to, amount, label] })
  const toDocument = (pre: Hex, after: Hex): string => {
    const post = encodeFunctionData({ abi: walletAbi, functionName: 'countByHook', args: [after] })
    const toHook = (callData: Hex) => ({ target: wallet.address, callData, gasLimit })
    return JSON.stringify({ metadata: { hooks: { pre: [toHook(pre)], post: [toHook(post)] } } })
  }
  const chooseTerms = (block: Block): PlacementTerms | undefined => {
    const terms = chooseMarketTerms(world, dice, block)
    if (!terms) return undefined
    placed += 1
    const labels = { before: toHookLabel(`before ${placed}`), after: toHookLabel(`after ${placed}`) }
    const { sellToken, sellAmount } = terms
    const isOfWallet = dice.chance(0.4)
    const hook: OrderHook = { ...labels, wallet: wallet.address, releases: isOfWallet ? 0n : sellAmount }
    const pre = isOfWallet
      ? call('approveByHook', sellToken, network.vaultRelayer, maxUint256, labels.before)
      : call('releaseByHook', sellToken, account.address, sellAmount, labels.before)
    return {
      ...{ ...terms, hook, receiver: wallet.address, appData: toDocument(pre, labels.after) },
      ...(isOfWallet ? { owner: wallet.address, scheme: 'eip1271' as const } : {}),
    }
  }

  return {
    name,
    act: async (block) => {
      if (block.number < 2 || !dice.chance(0.06)) return
      const terms = chooseTerms(block)
      if (terms) await submitOrder(world, account, terms)
    },
  }
}
