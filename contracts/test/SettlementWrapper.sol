// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Forwards calls: stands for wrapper contracts, routers and multisends between a solver and `settle`.
contract SettlementWrapper {
    struct Call {
        address target;
        bytes data;
        bool mayFail;
    }

    function execute(Call[] calldata calls) external {
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool succeeded, ) = calls[i].target.call(calls[i].data);
            require(succeeded || calls[i].mayFail, "call failed");
        }
    }
}
