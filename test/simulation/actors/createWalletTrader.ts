import { encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { tokenAbi } from '../chain/contracts/tokenCode.ts'
import { walletAbi } from '../chain/contracts/walletCode.ts'
import { toWeiKey } from '../chain/machine.ts'
import { honestTokens, network } from '../market.ts'
import { type ModelWallet, modelWallets } from '../wallets.ts'
import type { Participant, World } from '../world.ts'
import { chooseMarketTerms } from './chooseMarketTerms.ts'
import { submitOrder } from './requests/submitOrder.ts'

/** Sends a call of a wallet, signed by its owner. */
const callFromWallet = (world: World, { owner, address }: ModelWallet, target: Hex, callData: Hex): void => {
  const data = encodeFunctionData({ abi: walletAbi, functionName: 'execute', args: [target, callData] })
  world.transact(owner.address, address, data)
}

/** A wallet with funds and approvals from the first block on. */
export const fundWallet = (world: World, wallet: ModelWallet): void => {
  world.chain.store.set(toWeiKey(wallet.owner.address), 10n ** 21n)
  for (const { address, decimals } of honestTokens) {
    world.give(address, wallet.address, 100_000n * 10n ** BigInt(decimals))
    const args = [network.vaultRelayer, maxUint256] as const
    callFromWallet(world, wallet, address, encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args }))
  }
}

/** Trades with the contract wallet of its name: most orders signed by EIP-1271, some by a pre-signature. */
export const createWalletTrader = (world: World, name: keyof typeof modelWallets): Participant => {
  const dice = world.dice(name)
  const wallet = modelWallets[name]
  const isLeaving = name === 'gone wallet'
  fundWallet(world, wallet)

  return {
    name,
    act: async (block) => {
      if (block.number < 2 || !dice.chance(isLeaving ? 0.3 : 0.05)) return
      const terms = chooseMarketTerms(world, dice, block)
      if (!terms) return
      // above the market, so that its orders remain open without it
      if (isLeaving) terms.buyAmount = (terms.buyAmount * 104n) / 100n
      if (isLeaving) terms.validTo = Math.floor(world.now() / 1_000) + 100 * network.blockTimeSeconds
      const scheme = dice.chance(0.2) ? 'presign' : 'eip1271'
      const uid = await submitOrder(world, wallet.owner, { ...terms, scheme, owner: wallet.address })
      if (!uid || scheme === 'eip1271') return
      const args = [uid, true] as const
      const data = encodeFunctionData({ abi: settlementAbi, functionName: 'setPreSignature', args })
      callFromWallet(world, wallet, network.settlementContract, data)
    },
  }
}
