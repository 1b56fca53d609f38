/**
 * What `isValidSignature(bytes32, bytes)` of a contract returns for a signature that it accepts (EIP-1271): the selector
 * of that function. Any other answer, a revert included, means rejected.
 */
export const eip1271MagicValue = '0x1626ba7e'
