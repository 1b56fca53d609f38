// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Misbehaviour} from "./Misbehaviour.sol";

/// Performs the act of `Misbehaviour` that the first byte of the calldata names.
contract HostileHook {
    fallback() external payable {
        if (msg.data.length > 0) Misbehaviour.perform(uint8(msg.data[0]));
    }
}
