// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Runs the calls that owners attach to their orders. The settlement contract holds tokens and is trusted by every
/// owner, so it must never make such a call itself: the callee sees this contract, which has no funds and no
/// permissions. Same interface as the contract that public networks have at `hooksTrampoline` in shared/networks.ts.
contract HooksTrampoline {
    struct Hook {
        address target;
        bytes callData;
        /// Gas of the call, exactly; the order's owner pays for all of it.
        uint256 gasLimit;
    }

    error NotASettlement();
    error NotEnoughGas();

    /// The only caller, so that hooks run as part of a settlement and at no other time.
    address public immutable settlement;

    constructor(address settlement_) {
        settlement = settlement_;
    }

    /// A reverting hook is skipped, so no order can stop the settlement of others. Too little gas for a hook reverts,
    /// otherwise solvers could starve hooks and settle anyway.
    function execute(Hook[] calldata hooks) external {
        if (msg.sender != settlement) revert NotASettlement();
        for (uint256 i = 0; i < hooks.length; ++i) {
            Hook calldata hook = hooks[i];
            bytes memory callData = hook.callData;
            (address target, uint256 gasLimit) = (hook.target, hook.gasLimit);
            // a call gets at most 63/64 of the remaining gas (EIP-150), without an error
            if ((gasleft() * 63) / 64 < gasLimit) revert NotEnoughGas();
            // in assembly, because Solidity copies the returned data outside the hook's gas
            assembly ("memory-safe") {
                pop(call(gasLimit, target, 0, add(callData, 32), mload(callData), 0, 0))
            }
        }
    }
}
