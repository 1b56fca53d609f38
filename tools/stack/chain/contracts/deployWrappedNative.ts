import { type Address, toHex } from 'viem'
import { type Network, networks } from '#shared/networks.ts'
import type { LocalChain } from '../connectLocalChain.ts'
import { toShortStringSlot } from '../toShortStringSlot.ts'
import { installContract } from './installContract.ts'
import { readArtifact } from './readArtifact.ts'

/** WETH9 at its public address. Its name, symbol and decimals are storage, slots 0 to 2. */
export const deployWrappedNative = async (chain: LocalChain, network: Network = networks.sepolia): Promise<Address> => {
  const address = network.wrappedNative
  await installContract(chain, address, {
    code: readArtifact('canonical-weth/build/contracts/WETH9.json').deployedBytecode,
    storage: {
      '0x0': toShortStringSlot('Wrapped Ether'),
      '0x1': toShortStringSlot('WETH'),
      '0x2': toHex(18, { size: 32 }),
    },
  })
  return address
}
