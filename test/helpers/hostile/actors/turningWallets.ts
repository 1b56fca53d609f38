import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, encodeFunctionData, erc20Abi, maxUint256, parseEther } from 'viem'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { signOrder } from '../../orders/signOrder.ts'
import type { CreateActor } from '../arena.ts'
import { deployHostile, encodeWalletAct, encodeWalletCall, type walletActs } from '../hostileContracts.ts'

const { address: owner, privateKey } = devAccounts[3]
const walletCount = 8

const turns: (keyof typeof walletActs)[] = [
  ...(['invalid', 'revert', 'burnGas', 'hugeReturn', 'hugeRevert', 'refuse', 'returnGarbage'] as const),
  ...(['refusePaidGas', 'refuseOddBlocks', 'refuseLessGas', 'refuseCoinbase'] as const),
]

/** Contract wallets that accept the order's signature first, and refuse, fail or burn gas later, or only on the chain. */
export const turningWallets: CreateActor = (arena, dice) => {
  const { chain, info } = arena.stack
  const wallets: Address[] = []
  const { wrappedNative: weth, vaultRelayer } = info.contracts
  return {
    name: 'turning wallets',
    pauseMs: [3_000, 7_000],
    prepare: async () => {
      for (let i = 0; i < walletCount; i++) {
        const wallet = await deployHostile(chain, owner, 'HostileWallet')
        const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [vaultRelayer, maxUint256] })
        await sendFrom(chain, owner, { to: wallet, data: encodeWalletCall(weth, approve) })
        const pay = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [wallet, parseEther('2')] })
        await sendFrom(chain, owner, { to: weth, data: pay })
        wallets.push(wallet)
      }
    },
    act: async () => {
      const wallet = dice.pick(wallets)
      await arena.send(owner, wallet, encodeWalletAct('none'))
      const turn = dice.pick(turns)
      const turning = () => arena.send(owner, wallet, encodeWalletAct(turn, BigInt(dice.between(50_000, 2_000_000))))
      // these accept the order of a simulation, so that they may turn first
      const isEarly = turn === 'refusePaidGas' || turn === 'refuseLessGas'
      if (isEarly) await turning()
      await sleep(2_000)
      const sellAmount = parseEther('0.01') + BigInt(dice.between(0, 10 ** 9))
      const buyToken = arena.token(dice.pick(['USDC', 'DAI', 'COW']))
      const terms = { sellToken: weth, buyToken, sellAmount, buyAmount: 1n, receiver: wallet }
      const body = await signOrder(info, privateKey, terms)
      const contract = { from: wallet, signingScheme: 'eip1271', signature: '0x01' }
      const { status } = await arena.request('POST', 'orders', { ...body, ...contract })
      arena.count(`order of a wallet (${turn}) → ${status}`)
      if (!isEarly) await turning()
    },
  }
}
