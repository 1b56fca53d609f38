// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Ways in which a call can end badly for its caller. A number that is not listed does nothing.
library Misbehaviour {
    uint8 internal constant INVALID = 1;
    uint8 internal constant BURN_GAS = 2;
    uint8 internal constant REVERT = 3;
    uint8 internal constant HUGE_REVERT = 4;
    uint8 internal constant HUGE_RETURN = 5;
    uint8 internal constant RETURN_NOTHING = 6;
    uint8 internal constant RETURN_ZERO = 7;
    uint8 internal constant RETURN_MAXIMUM = 8;
    uint8 internal constant RETURN_GARBAGE = 9;

    /// Ends the whole call of the contract that uses it.
    function perform(uint8 act) internal view {
        if (act == INVALID) {
            assembly ("memory-safe") {
                invalid()
            }
        }
        if (act == BURN_GAS) {
            while (gasleft() > 0) {}
        }
        if (act == REVERT) revert("hostile");
        assembly ("memory-safe") {
            switch act
            case 4 {
                revert(0, 1000000)
            }
            case 5 {
                return(0, 1000000)
            }
            case 6 {
                return(0, 0)
            }
            case 7 {
                mstore(0, 0)
                return(0, 32)
            }
            case 8 {
                mstore(0, not(0))
                return(0, 32)
            }
            case 9 {
                // invalid offset and length, and bytes that are not UTF-8
                mstore(0, not(0))
                mstore(32, not(0))
                return(0, 61)
            }
        }
    }
}
