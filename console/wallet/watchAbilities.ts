import type { EthereumProvider } from './ethereumProvider.ts'
import { type Abilities, hasAtomicBatches, isContractCode } from './readAbilities.ts'

/** Some wallets never respond to methods that they do not know. */
const patienceMs = 3_000

/**
 * Reads the code of an account and the capabilities of its wallet (EIP-5792).
 * @param chain in hexadecimal
 * @param onAbilities called once both have arrived, or after some seconds with what is known, and then with each late answer
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
  }, patienceMs)
  const ask = async (method: string, params: unknown[], take: (answer: unknown) => void): Promise<void> => {
    take(await provider.request({ method, params }).catch(() => undefined))
    if (isLate) show()
  }
  const asked = [
    ask('eth_getCode', [address, 'latest'], (answer) => {
      code = answer
    }),
    ask('wallet_getCapabilities', [address, [chain]], (answer) => {
      capabilities = answer
    }),
  ]
  void Promise.all(asked).then(() => {
    clearTimeout(timer)
    if (!isLate) show()
  })
  return () => {
    isCurrent = false
    clearTimeout(timer)
  }
}
