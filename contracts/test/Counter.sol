// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Counts calls by key and by caller.
contract Counter {
    mapping(address caller => mapping(bytes32 key => uint256 calls)) public counts;

    function count(bytes32 key) external {
        ++counts[msg.sender][key];
    }
}
