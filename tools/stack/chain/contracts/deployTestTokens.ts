import { type Address, encodeFunctionData, type Hex, keccak256, parseAbi, parseUnits, stringToHex, toHex } from 'viem'
import { type Network, networks } from '#shared/networks.ts'
import type { LocalChain } from '../connectLocalChain.ts'
import { devAccounts } from '../devAccounts.ts'
import { sendFrom } from '../sendFrom.ts'
import { toMappingSlot } from '../toMappingSlot.ts'
import { toShortStringSlot } from '../toShortStringSlot.ts'
import { installContract } from './installContract.ts'
import { readArtifact } from './readArtifact.ts'

/** Minted whole tokens, for pools and accounts. */
const supply = '1000000000'

const otherTokens = {
  DAI: { address: '0xb4f1737af37711e9a5890d9510c9bb60e170cb0d', decimals: 18, name: 'Dai Stablecoin' },
  COW: { address: '0x0625afb445c3b6b7b929342a04a22599fd5dbb59', decimals: 18, name: 'CoW Protocol Token' },
} as const

export type TestTokens = Record<'USDC' | keyof typeof otherTokens, { address: Address; decimals: number }>

const tokenAbi = parseAbi([
  'function totalSupply() view returns (uint256)',
  'function mint(address to, uint256 amount)',
])

/** USDC, DAI and COW at their public addresses; their minter, `devAccounts[7]`, holds the supply. */
export const deployTestTokens = async (
  chain: LocalChain,
  { usdReference }: Network = networks.sepolia,
): Promise<TestTokens> => {
  const minter = devAccounts[7].address
  const tokens = { USDC: { ...usdReference, name: 'USD Coin' }, ...otherTokens }
  for (const [symbol, { address, decimals, name }] of Object.entries(tokens)) {
    await installContract(chain, address, {
      code: buildTokenCode(decimals),
      storage: buildStorage(name, symbol, minter),
    })
    if (await chain.readContract({ address, abi: tokenAbi, functionName: 'totalSupply' })) continue
    const args = [minter, parseUnits(supply, decimals)] as const
    await sendFrom(chain, minter, {
      to: address,
      data: encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args }),
    })
  }
  return tokens
}

/** Body of `decimals()`: return the constant 18. */
const returnEighteen = '60405160128152602001'

/** OpenZeppelin's mintable ERC-20, which always has 18 decimals, with that constant replaced. */
const buildTokenCode = (decimals: number): Hex => {
  const code = readArtifact('@openzeppelin/contracts/build/contracts/ERC20PresetMinterPauser.json').deployedBytecode
  const parts = code.split(returnEighteen)
  if (parts.length !== 2) throw new Error('the token artifact is not the one of @openzeppelin/contracts 4.9')
  return parts.join(returnEighteen.replace('6012', `60${toHex(decimals, { size: 1 }).slice(2)}`)) as Hex
}

/** Layout: 0 role → (members, admin role), 5 name, 6 symbol. */
const buildStorage = (name: string, symbol: string, minter: Address): Record<Hex, Hex> => {
  const role = toMappingSlot(keccak256(stringToHex('MINTER_ROLE')), 0n)
  return {
    [toMappingSlot(minter, role)]: toHex(1, { size: 32 }),
    '0x5': toShortStringSlot(name),
    '0x6': toShortStringSlot(symbol),
  }
}
