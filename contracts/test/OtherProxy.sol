// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A proxy whose implementation stands in a slot that no standard names.
contract OtherProxy {
    bytes32 private constant SLOT = keccak256("edgebook.test.OtherProxy");

    constructor(address implementation) {
        bytes32 slot = SLOT;
        assembly ("memory-safe") {
            sstore(slot, implementation)
        }
    }

    receive() external payable {
        delegate();
    }

    fallback() external payable {
        delegate();
    }

    function delegate() private {
        bytes32 slot = SLOT;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let succeeded := delegatecall(gas(), sload(slot), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch succeeded
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
