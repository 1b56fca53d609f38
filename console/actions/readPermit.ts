import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { EthereumProvider } from '../wallet/ethereumProvider.ts'
import type { Permit } from './permit.ts'
import { toPermit } from './toPermit.ts'

const tokenAbi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function nonces(address owner) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function PERMIT_TYPEHASH() view returns (bytes32)',
])
const multicallAbi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) view returns (Result[] results)',
])
/** Multicall3 has this address on every chain (https://www.multicall3.com). */
const multicall = '0xca11bde05977b3631167028862be2a173976ca11'

/**
 * Reads domain and nonce for approvals by signature from the wallet's node, in one call.
 * @returns null for a token without them
 * @throws errors of the wallet; Error for a response that is no result
 */
export const readPermit = async (
  provider: EthereumProvider,
  { token, owner, chainId }: { token: string; owner: string; chainId: number },
): Promise<Permit | null> => {
  const calls = [
    encodeFunctionData({ abi: tokenAbi, functionName: 'name' }),
    encodeFunctionData({ abi: tokenAbi, functionName: 'version' }),
    encodeFunctionData({ abi: tokenAbi, functionName: 'nonces', args: [owner as Hex] }),
    encodeFunctionData({ abi: tokenAbi, functionName: 'DOMAIN_SEPARATOR' }),
    encodeFunctionData({ abi: tokenAbi, functionName: 'PERMIT_TYPEHASH' }),
  ].map((callData) => ({ target: token as Hex, allowFailure: true, callData }))
  const data = encodeFunctionData({ abi: multicallAbi, functionName: 'aggregate3', args: [calls] })
  const returned = await provider.request({ method: 'eth_call', params: [{ to: multicall, data }, 'latest'] })
  const results = decodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', data: returned as Hex })
  const read = <T>(index: number, decode: (data: Hex) => T): T | undefined => {
    const result = results[index]
    if (!result?.success) return undefined
    try {
      return decode(result.returnData)
    } catch {
      // a fallback function accepts any call
      return undefined
    }
  }
  return toPermit(
    {
      name: read(0, (bytes) => decodeFunctionResult({ abi: tokenAbi, functionName: 'name', data: bytes })),
      version: read(1, (bytes) => decodeFunctionResult({ abi: tokenAbi, functionName: 'version', data: bytes })),
      nonce: read(2, (bytes) => decodeFunctionResult({ abi: tokenAbi, functionName: 'nonces', data: bytes })),
      separator: read(3, (bytes) =>
        decodeFunctionResult({ abi: tokenAbi, functionName: 'DOMAIN_SEPARATOR', data: bytes }),
      ),
      typeHash: read(4, (bytes) =>
        decodeFunctionResult({ abi: tokenAbi, functionName: 'PERMIT_TYPEHASH', data: bytes }),
      ),
    },
    { address: token, chainId },
  )
}
