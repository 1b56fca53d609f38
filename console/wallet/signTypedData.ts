import type { Connection } from './connection/openConnection.ts'

const signaturePattern = /^0x[0-9a-fA-F]{130}$/

/**
 * Requests an EIP-712 signature from the wallet.
 * @returns 65 bytes
 * @throws errors of the wallet; Error for a response that is not an ECDSA signature
 */
export const signTypedData = async ({ choice, address }: Connection, typedData: object): Promise<string> => {
  const signature = await choice.provider.request({
    method: 'eth_signTypedData_v4',
    params: [address, JSON.stringify(typedData)],
  })
  if (typeof signature === 'string' && signaturePattern.test(signature)) return signature
  throw new Error('this is a signature of a contract; this page supports only signatures of keys')
}
