import { type CompiledContract, compileContracts } from './compileContracts.ts'

/**
 * A contract of `contracts/`.
 * @throws Error when `contracts/` has no contract of this name
 */
export const readCompiledContract = (name: string): CompiledContract => {
  const contract = compileContracts()[name]
  if (!contract) throw new Error(`contracts/ has no ${name}.sol`)
  return contract
}
