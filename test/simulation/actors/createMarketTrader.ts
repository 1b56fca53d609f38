import { encodeFunctionData, maxUint256 } from 'viem'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { tokenAbi } from '../chain/contracts/tokenCode.ts'
import type { Block } from '../chain/createChain.ts'
import { honestTokens, type ModelToken, network } from '../market.ts'
import { createAccount, type Participant, type SimulatedAccount, type World } from '../world.ts'
import { chooseMarketTerms } from './chooseMarketTerms.ts'
import { type PlacementTerms, submitOrder } from './requests/submitOrder.ts'

/** Lets the relayer take tokens of an account from the first block on. */
export const approveRelayer = (world: World, { address }: SimulatedAccount, traded: readonly ModelToken[]): void => {
  const args = [network.vaultRelayer, maxUint256] as const
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args })
  for (const token of traded) world.transact(address, token.address, data)
}

/** An account with funds and approvals from the first block on. */
export const fundTrader = (world: World, name: string, traded: readonly ModelToken[]): SimulatedAccount => {
  const account = createAccount(name)
  for (const { address, decimals } of traded) world.give(address, account.address, 100_000n * 10n ** BigInt(decimals))
  approveRelayer(world, account, traded)
  return account
}

/** Trades honest tokens: sell and buy orders, fill-or-kill and partially fillable, at the market and away from it. */
export const createMarketTrader = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const account = fundTrader(world, name, honestTokens)

  const chooseTerms = (block: Block): PlacementTerms | undefined => {
    const terms = chooseMarketTerms(world, dice, block)
    return (
      terms && {
        ...terms,
        ...(dice.chance(0.1) ? { signingScheme: 'ethsign' as const } : {}),
        ...(dice.chance(0.1) ? { scheme: 'presign' as const } : {}),
      }
    )
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
