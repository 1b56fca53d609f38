// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Counts calls by what they carry, and by whom they are made.
contract Counter {
    mapping(address caller => mapping(bytes32 key => uint256 calls)) public counts;

    function count(bytes32 key) external {
        ++counts[msg.sender][key];
    }
}
