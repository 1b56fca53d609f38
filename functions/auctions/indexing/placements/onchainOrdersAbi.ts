import { parseAbi } from 'viem'

/**
 * A contract that places orders on-chain (`CoWSwapOnchainOrders`), limited to the indexed events; only the contract for
 * native tokens has `OrderRefund`. `order` is `GPv2Order.Data`, with hashes for kind and balances; `signature.scheme`
 * is 0 for EIP-1271 and 1 for a pre-signature; `data` is specific to the contract.
 */
export const onchainOrdersAbi = parseAbi([
  'struct Order { address sellToken; address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; bytes32 kind; bool partiallyFillable; bytes32 sellTokenBalance; bytes32 buyTokenBalance; }',
  'struct Signature { uint8 scheme; bytes data; }',
  'event OrderPlacement(address indexed sender, Order order, Signature signature, bytes data)',
  'event OrderInvalidation(bytes orderUid)',
  'event OrderRefund(bytes orderUid, address indexed refunder)',
])
