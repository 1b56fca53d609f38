import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Address, Hex } from 'viem'
import type { LocalChain } from '../connectLocalChain.ts'
import { findRuntimeCode } from './findRuntimeCode.ts'
import { hasCode } from './hasCode.ts'
import { installContract } from './installContract.ts'

const multicall3: Address = '0xca11bde05977b3631167028862be2a173976ca11'

/** Multicall3 at its address on every chain. */
export const deployMulticall3 = async (chain: LocalChain): Promise<Address> => {
  if (await hasCode(chain, multicall3)) return multicall3
  await installContract(chain, multicall3, { code: await findRuntimeCode(chain, await readCreationCode()) })
  return multicall3
}

/** viem carries the creation code for deployless calls, outside its public entry points. */
const readCreationCode = async (): Promise<Hex> => {
  const root = dirname(createRequire(import.meta.url).resolve('viem/package.json'))
  const constants = await import(pathToFileURL(join(root, '_esm/constants/contracts.js')).href)
  return constants.multicall3Bytecode
}
