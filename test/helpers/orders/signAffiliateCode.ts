import type { Hex, PrivateKeyAccount } from 'viem'

/** Binds a code to a wallet, signed without any SDK (interface specification, Authentication 3). */
export const signAffiliateCode = (wallet: PrivateKeyAccount, code: string): Promise<Hex> =>
  wallet.signTypedData({
    domain: { name: 'edgebook Affiliate', version: '1' },
    types: {
      AffiliateCode: [
        { name: 'walletAddress', type: 'address' },
        { name: 'code', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
    },
    primaryType: 'AffiliateCode',
    message: { walletAddress: wallet.address, code, chainId: 1n },
  })
