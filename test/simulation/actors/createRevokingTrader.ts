import { type Address, encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { tokenAbi } from '../chain/contracts/tokenCode.ts'
import { walletAbi } from '../chain/contracts/walletCode.ts'
import { toWeiKey } from '../chain/machine.ts'
import { honestTokens, network, toAddress } from '../market.ts'
import { revokingWallets } from '../wallets.ts'
import { createAccount, type Participant, type SimulatedAccount, type World } from '../world.ts'
import { chooseMarketTerms } from './chooseMarketTerms.ts'
import { fundTrader } from './createMarketTrader.ts'
import { fundWallet } from './createWalletTrader.ts'
import { submitOrder } from './requests/submitOrder.ts'

/** What the first transaction of a block takes from an open order, and the last one gives back. */
type Form = 'signature' | 'presignature' | 'balance' | 'allowance'

const forms: readonly Form[] = ['signature', 'presignature', 'balance', 'allowance']
/** first in a block and last in it: above the noise and below each solver */
const [first, last] = [{ tip: 10n ** 11n }, { tip: 1n }]
/** accounts of each form; every order has a fresh one */
const accountsPerForm = revokingWallets.length
const vault = toAddress('revoking vault')

type Call = { from: Address; to: Address; data: Hex }
type Trap = { revoke: Call; restore: Call; until: number }

/**
 * Places generous orders of fresh accounts that are valid at the end of each block and fail in its transactions: the
 * first transaction of a block revokes what the last one restores.
 */
export const createRevokingTrader = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const form = dice.pick(forms)
  const owner = createAccount(name)
  world.chain.store.set(toWeiKey(owner.address), 10n ** 21n)
  const accounts: SimulatedAccount[] = []
  for (let i = 0; i < accountsPerForm; i += 1) {
    const wallet = revokingWallets[i]
    if (form === 'signature' && wallet) fundWallet(world, wallet)
    accounts.push(form === 'signature' ? owner : fundTrader(world, `${name} ${i}`, honestTokens))
  }
  world.chain.store.set(toWeiKey(vault), 10n ** 21n)
  let placed = 0
  const traps: Trap[] = []

  const buildTrap = (account: Address, uid: Hex, token: Address, amount: bigint): Omit<Trap, 'until'> => {
    if (form === 'signature') {
      const to = revokingWallets[0]?.address ?? account
      const call = (isRevoked: boolean): Call => ({
        ...{ from: owner.address, to },
        data: encodeFunctionData({ abi: walletAbi, functionName: 'setRevoked', args: [isRevoked] }),
      })
      return { revoke: call(true), restore: call(false) }
    }
    if (form === 'presignature') {
      const call = (isSigned: boolean): Call => ({
        ...{ from: account, to: network.settlementContract },
        data: encodeFunctionData({ abi: settlementAbi, functionName: 'setPreSignature', args: [uid, isSigned] }),
      })
      return { revoke: call(false), restore: call(true) }
    }
    if (form === 'allowance') {
      const call = (allowed: bigint): Call => ({
        ...{ from: account, to: token },
        data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [network.vaultRelayer, allowed] }),
      })
      return { revoke: call(0n), restore: call(maxUint256) }
    }
    const call = (from: Address, to: Address): Call => ({
      ...{ from, to: token },
      data: encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amount] }),
    })
    return { revoke: call(account, vault), restore: call(vault, account) }
  }
  const place = async (block: Parameters<Participant['act']>[0]): Promise<void> => {
    const terms = chooseMarketTerms(world, dice, block)
    const account = accounts[placed]
    const wallet = revokingWallets[placed]
    if (!terms || !account || !wallet) return
    placed += 1
    const isWallet = form === 'signature'
    const uid = await submitOrder(world, account, {
      ...{ ...terms, kind: 'sell', partiallyFillable: false, isTrap: true },
      buyAmount: (terms.buyAmount * 9n) / 10n,
      validTo: Math.floor(world.now() / 1_000) + 40 * network.blockTimeSeconds,
      ...(isWallet ? { scheme: 'eip1271' as const, owner: wallet.address } : {}),
      ...(form === 'presignature' ? { scheme: 'presign' as const } : {}),
    })
    if (!uid) return
    // the whole balance, as `fundTrader` gives it
    const decimals = honestTokens.find(({ address }) => address === terms.sellToken)?.decimals ?? 18
    const trap = buildTrap(
      isWallet ? wallet.address : account.address,
      uid,
      terms.sellToken,
      100_000n * 10n ** BigInt(decimals),
    )
    if (form === 'presignature') world.transact(trap.restore.from, trap.restore.to, trap.restore.data)
    traps.push({ ...trap, until: block.number + 40 })
  }

  return {
    name,
    act: async (block) => {
      if (block.number < 2) return
      if (dice.chance(0.3)) await place(block)
      const open = traps.filter(({ until }) => until > block.number)
      // one transaction revokes the signatures of all wallets
      const due = form === 'signature' ? open.slice(0, 1) : open
      for (const { revoke } of due) world.transact(revoke.from, revoke.to, revoke.data, first)
      for (const { restore } of due) world.transact(restore.from, restore.to, restore.data, last)
    },
  }
}
