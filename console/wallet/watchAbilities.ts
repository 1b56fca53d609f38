import type { EthereumProvider } from './ethereumProvider.ts'
import { type Abilities, hasAtomicBatches, isContractCode } from './readAbilities.ts'

/** Some wallets never respond to methods that they do not know. */
const timeoutMs = 3_000

/**
 * Reads the code of an account and the capabilities of its wallet (EIP-5792).
 * @param chain in hexadecimal
 * @param onAbilities called once both have arrived, or after three seconds with the known part, then with each late one
 * @returns ends the calls
 */
export const watchAbilities = (
  provider: EthereumProvider,
  { address, chain }: { address: string; chain: string },
  onAbilities: (abilities: Abilities) => void,
): (() => void) => {
  let code: unknown
  let capabilities: unknown
  let isLate = false
  let isCurrent = true
  const show = () => {
    if (isCurrent) onAbilities({ isContract: isContractCode(code), hasBatches: hasAtomicBatches(capabilities, chain) })
  }
  const timer = setTimeout(() => {
    isLate = true
    show()
  }, timeoutMs)
  const request = async (method: string, params: unknown[], take: (response: unknown) => void): Promise<void> => {
    take(await provider.request({ method, params }).catch(() => undefined))
    if (isLate) show()
  }
  const requests = [
    request('eth_getCode', [address, 'latest'], (response) => {
      code = response
    }),
    request('wallet_getCapabilities', [address, [chain]], (response) => {
      capabilities = response
    }),
  ]
  void Promise.all(requests).then(() => {
    clearTimeout(timer)
    if (!isLate) show()
  })
  return () => {
    isCurrent = false
    clearTimeout(timer)
  }
}
