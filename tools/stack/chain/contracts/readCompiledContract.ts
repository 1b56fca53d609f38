import { type CompiledContract, compileContracts } from './compileContracts.ts'

/**
 * A contract of `contracts/` or `contracts/test/`.
 * @throws Error when neither has a contract of this name
 */
export const readCompiledContract = (name: string): CompiledContract => {
  const contract = compileContracts('contracts')[name] ?? compileContracts('contracts/test')[name]
  if (!contract) throw new Error(`contracts/ has no ${name}.sol`)
  return contract
}
