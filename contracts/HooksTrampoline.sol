// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Runs the calls that owners attach to their orders. The settlement contract holds tokens and is trusted by every owner, so
/// it must never make such a call itself: whoever is called sees this contract, which owns nothing and may do nothing.
/// It has the interface of the contract that public networks have at `hooksTrampoline` in shared/networks.ts.
contract HooksTrampoline {
    struct Hook {
        address target;
        bytes callData;
        /// What the call may use, no more and no less; the order's owner pays for all of it.
        uint256 gasLimit;
    }

    error NotASettlement();
    error NotEnoughGas();

    /// The only caller, so that hooks run as part of a settlement and at no other time.
    address public immutable settlement;

    constructor(address settlement_) {
        settlement = settlement_;
    }

    /// A hook that reverts is over, and the next one runs: no order can stop the settlement of others. Who sends the
    /// settlement with too little gas for a hook gets a revert instead, or else solvers could starve hooks and settle anyway.
    function execute(Hook[] calldata hooks) external {
        if (msg.sender != settlement) revert NotASettlement();
        for (uint256 i = 0; i < hooks.length; ++i) {
            Hook calldata hook = hooks[i];
            bytes memory callData = hook.callData;
            (address target, uint256 gasLimit) = (hook.target, hook.gasLimit);
            // a call gets at most 63/64 of what is left (EIP-150), silently
            if ((gasleft() * 63) / 64 < gasLimit) revert NotEnoughGas();
            // in assembly, because Solidity copies what the call returns, and the copy is not paid by the hook's gas
            assembly ("memory-safe") {
                pop(call(gasLimit, target, 0, add(callData, 32), mload(callData), 0, 0))
            }
        }
    }
}
