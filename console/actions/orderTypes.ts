const toMembers = (text: string) =>
  text.split(',').map((member) => {
    const [type = '', name = ''] = member.split(' ')
    return { name, type }
  })

/** `GPv2Order.Data` as hashed by the settlement contract, and its domain. */
export const orderTypes = {
  EIP712Domain: toMembers('string name,string version,uint256 chainId,address verifyingContract'),
  Order: toMembers(
    'address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,' +
      'uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance',
  ),
}

/** The EIP-712 domain of orders and cancellations. */
export const buildDomain = ({ chainId, settlementContract }: { chainId: number; settlementContract: string }) => ({
  name: 'Gnosis Protocol',
  version: 'v2',
  chainId,
  verifyingContract: settlementContract,
})
