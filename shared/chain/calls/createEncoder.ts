import {
  type Abi,
  type AbiStateMutability,
  type ContractFunctionArgs,
  type ContractFunctionName,
  encodeFunctionData,
  type Hex,
  prepareEncodeFunctionData,
} from 'viem'

/** Encodes calls of one function of a contract. Its selector, a hash, is computed once instead of for each call. */
export const createEncoder = <const OwnAbi extends Abi, Name extends ContractFunctionName<OwnAbi>>(
  abi: OwnAbi,
  functionName: Name,
): ((args: ContractFunctionArgs<OwnAbi, AbiStateMutability, Name>) => Hex) => {
  let prepared: { abi: Abi; functionName: Hex } | undefined
  return (args) => {
    prepared ??= prepareEncodeFunctionData({ abi: abi as Abi, functionName: functionName as string })
    return encodeFunctionData({ ...prepared, args: args as readonly unknown[] })
  }
}
