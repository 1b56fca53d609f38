/** Gas units: no transaction may use more (EIP-7825). */
export const maxTransactionGas = 16_777_215n
