/**
 * Return value of a contract's `isValidSignature(bytes32, bytes)` for an accepted signature (EIP-1271): the selector of that
 * function. Any other result, including a revert, means rejected.
 */
export const eip1271MagicValue = '0x1626ba7e'
