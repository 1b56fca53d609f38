// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Value of a conditional order that starts with the block of its creation.
contract BlockTimestampFactory {
    function getValue(bytes calldata) external view returns (bytes32) {
        return bytes32(block.timestamp);
    }
}
