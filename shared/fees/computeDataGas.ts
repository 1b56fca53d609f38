/**
 * Gas units that cost as much as the data of a transaction, so that gas · gas price is the whole cost; rounded up.
 * @param dataFee wei, 0 on networks without a fee for data
 * @param gasPrice wei per gas unit
 */
export const computeDataGas = (dataFee: bigint, gasPrice: bigint): bigint =>
  gasPrice === 0n ? 0n : (dataFee + gasPrice - 1n) / gasPrice
