import type { Connection } from './WalletProvider.tsx'

const signaturePattern = /^0x[0-9a-fA-F]{130}$/

/**
 * Has the wallet sign (EIP-712).
 * @returns 65 bytes
 * @throws whatever the wallet throws; Error when what it gives is no signature of a key
 */
export const signTypedData = async ({ choice, address }: Connection, typedData: object): Promise<string> => {
  const signature = await choice.provider.request({
    method: 'eth_signTypedData_v4',
    params: [address, JSON.stringify(typedData)],
  })
  if (typeof signature === 'string' && signaturePattern.test(signature)) return signature
  throw new Error(
    'this is a signature of another kind than that of a key, as a contract gives it; this page cannot use it',
  )
}
