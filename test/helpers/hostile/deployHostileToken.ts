import { type Address, encodeFunctionData, erc20Abi, maxUint256, parseAbi, parseEther } from 'viem'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import type { Arena } from './arena.ts'
import { deployHostile } from './hostileContracts.ts'

const factoryAbi = parseAbi([
  'function createPair(address, address) returns (address)',
  'function getPair(address, address) view returns (address)',
])
const pairAbi = parseAbi(['function mint(address to) returns (uint256)'])

/** A `HostileToken` with a pool of 20 WETH and 60,000 of it; `owner` holds the rest and has approved the relayer. */
export const deployHostileToken = async ({ stack: { chain, info } }: Arena, owner: Address): Promise<Address> => {
  const token = await deployHostile(chain, owner, 'HostileToken')
  const { uniswapV2Factory: factory, wrappedNative: weth, vaultRelayer } = info.contracts
  const args = [token, weth] as const
  const send = (to: Address, data: `0x${string}`, from = owner) => sendFrom(chain, from, { to, data })
  const pay = (to: Address, amount: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  await send(factory, encodeFunctionData({ abi: factoryAbi, functionName: 'createPair', args }))
  const pool = await chain.readContract({ address: factory, abi: factoryAbi, functionName: 'getPair', args })
  const provider = devAccounts[7].address
  await sendFrom(chain, provider, { to: weth, value: parseEther('20') })
  await send(weth, pay(pool, parseEther('20')), provider)
  await send(token, pay(pool, parseEther('60000')))
  await send(pool, encodeFunctionData({ abi: pairAbi, functionName: 'mint', args: [owner] }))
  const approve = { abi: erc20Abi, functionName: 'approve', args: [vaultRelayer, maxUint256] } as const
  for (const address of [token, weth]) await send(address, encodeFunctionData(approve))
  return token
}
